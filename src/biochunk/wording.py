"""Words of messages."""


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: "1 text", "1,200 texts".

    plural (str): The noun's plural, where it is not the noun with an s.
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
