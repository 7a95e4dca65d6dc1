"""The root of the error tree.

Every failure that Archivist reports on purpose is one class under `ArchivistError`, defined beside the code that raises it.
The message is built once, by the class, is one line, and ends with what to do next.

    ArchivistError
        ConfigError and others in config/     a home, a key or a file of settings is wrong
        StoreError and others in store/       the database cannot do what was asked
        TransferError and others in transfer/ a source cannot be read
"""


class ArchivistError(Exception):
    """Any failure that Archivist reports on purpose; `str()` of it is one line for a person."""
