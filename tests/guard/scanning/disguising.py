"""Ways to disguise a text, each with what it is called."""

import base64
import codecs
from urllib.parse import quote

LOOKALIKES = str.maketrans("aeiopcy", "аеіорсу")
ZERO_WIDTH = "\u200b"


def wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def mathematical(text: str) -> str:
    return "".join(chr(0x1D41A + ord(c) - ord("a")) if "a" <= c <= "z" else c for c in text.lower())


def tags(text: str) -> str:
    return "Nice weather." + "".join(chr(0xE0000 + ord(c)) for c in text)


EVERY_SCRIPT = {
    "as it is": lambda text: text,
    "zero-width characters between letters": ZERO_WIDTH.join,
    "word joiners": "\u2060".join,
    "soft hyphens": "\xad".join,
    "a line for each word": lambda text: "\n".join(text.split(" ")),
    "within prose": lambda text: f"The hotel was lovely, and breakfast too. {text}. We stayed for a week.",
    "in capitals": str.upper,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 over lines": lambda text: base64.encodebytes((text + " " + text).encode()).decode(),
    "base64 twice": lambda text: base64.b64encode(base64.b64encode(text.encode())).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "hexadecimal with spaces": lambda text: text.encode().hex(" "),
    "percent signs": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "unicode escapes": lambda text: "".join(f"\\u{ord(c):04x}" for c in text),
    "entities": lambda text: "".join(f"&#{ord(c)};" if c != " " else " " for c in text),
    "a comment": lambda text: f"<p>Opening hours</p><!-- {text} -->",
    "an element that is not shown": lambda text: f'<div style="display:none">{text}</div>',
    "bold letters": lambda text: f"**{text[0]}**{text[1:]}",
}
LATIN = {
    "look-alike letters": lambda text: text.translate(LOOKALIKES),
    "wide letters": wide,
    "mathematical letters": mathematical,
    "tag characters": tags,
    "digits for letters": lambda text: text.translate(str.maketrans("aeiost", "431057")),
    "spaced letters": lambda text: " ".join(text.replace(" ", "")),
    "spaced letters, words apart": lambda text: "   ".join(" ".join(word) for word in text.split()),
    "letters apart by hyphens": lambda text: " ".join("-".join(word) for word in text.split()),
    "letters apart by dots": lambda text: " ".join(".".join(word) for word in text.split()),
    "cut words": lambda text: " ".join(
        f"{word[:2]}-{word[2:]}" if len(word) > 5 else word for word in text.split()
    ),
    "commas between words": lambda text: ", ".join(text.split()),
    "dots between words": lambda text: "... ".join(text.split()),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "backwards": lambda text: text[::-1],
    "turned direction": lambda text: "\u202e" + text[::-1] + "\u202c",
    "tags inside words": lambda text: " ".join(f"{word[:2]}<b></b>{word[2:]}" for word in text.split()),
    "character codes": lambda text: " ".join(str(ord(c)) for c in text),
    "binary digits": lambda text: " ".join(f"{ord(c):08b}" for c in text),
    "accents": lambda text: text.replace("o", "ö").replace("e", "é").replace("i", "ì"),
    "a part in percent signs": lambda text: quote(text, safe="").replace("o", "%6F"),
}
