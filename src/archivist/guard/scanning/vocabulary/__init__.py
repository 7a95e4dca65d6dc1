"""The words of the frames, by language: what a native reader corrects or extends.

Every table names classes of words; what a class means stands in `classes.py`. A star ends a stem, which any ending may follow;
`_` joins the words of a phrase; accents, capitals and look-alikes make no difference. A word may stand in several classes, and in
several languages. A word that is left out costs a miss; a word that is too common costs a false alarm only where a frame of several
such words comes together.
"""
