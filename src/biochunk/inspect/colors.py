"""Labels of the span picture and their colours; displaCy knows them by an entry point."""

ENTITY = "ENTITY"
TIERS = {1: "TIER 1", 2: "TIER 2", 3: "TIER 3"}
PROPOSITION = "PROPOSITION"
REJECTED = "REJECTED"
CHUNK = "CHUNK"

# Black text on each has a contrast of at least 7:1; the tiers are one hue, the stronger the darker.
COLORS = {
    ENTITY: "#8ec1f0",
    TIERS[1]: "#f28e2b",
    TIERS[2]: "#f7b26a",
    TIERS[3]: "#fbd7a5",
    PROPOSITION: "#7fc97f",
    REJECTED: "#c4c4c4",
    CHUNK: "#c9aee8",
}

MEANINGS = {
    ENTITY: "entity mention",
    TIERS[1]: "primary trigger",
    TIERS[2]: "secondary trigger",
    TIERS[3]: "tertiary trigger",
    PROPOSITION: "kept proposition",
    REJECTED: "proposition that lost",
    CHUNK: "evidence chunk, by slot",
}
