"""From a dataset to a pipeline: an arm's components, with the dataset's knowledge and the encoder inside.

An arm is a spaCy config: one that comes with the package ("hybrid", "fixed", …) or a file of the user's.
"""

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import requires
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from confection import Config
from packaging.version import InvalidVersion, Version
from spacy import util
from spacy.language import DEFAULT_CONFIG, Language

from . import __version__
from .config_text import config_problem, parse_config
from .encoders.static import StaticEncoder
from .errors import BiochunkError, UsageError
from .pipeline.component import KnowledgePipe
from .pipeline.entity_sources import NER
from .pipeline.entity_spans import EntitySpans
from .pipeline.hybrid_selector import HybridSelector
from .schema_parameters import Parameters
from .schemas import Dataset
from .shipped import shipped_file, shipped_names

DEFAULT_ARM = "hybrid"

_READER = "biochunk.dataset.v1"
_STATIC = "biochunk.static_encoder.v1"

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_NO_NAME = re.compile(r"[^a-z0-9]+")
_SEPARATOR = re.compile(r"[/\\]")

# Encoders that need packages beyond the core, and the extra that brings them.
_EXTRAS = {
    "biochunk.sentence_transformers_encoder.v1": "embeddings",
    "biochunk.spacy_transformer_encoder.v1": "transformers",
}


def read_arm(arm: str) -> Config:
    """The config of an arm.

    arm (str): Name of a config that comes with the package, or a path that ends in ".cfg". A file without a section
        [nlp] holds only what differs from the shipped config "hybrid", and is laid over it.
    RETURNS (Config): The config as it is written, no default filled in.
    RAISES (UsageError): When there is no such arm.
    RAISES (BiochunkError): When the file is no config, or has options for a component that "hybrid" lacks.
    """
    known = shipped_names("pipelines")
    if not arm.endswith(".cfg") and arm not in known:
        expected = f"one of: {', '.join(known)}; or a config file that ends in .cfg"
        raise UsageError(f"found the arm '{arm}', expected {expected}")
    path = Path(arm) if arm.endswith(".cfg") else shipped_file("pipelines", arm)
    if not path.is_file():
        raise UsageError(f"found no file '{arm}', expected a config file, or one of: {', '.join(known)}")
    try:
        config = parse_config(path.read_text(encoding="utf-8-sig"), util.CONFIG_SECTION_ORDER)
    except (OSError, ValueError) as error:
        raise _config_error(arm, error) from None
    if "nlp" not in config:
        config = _over_default(arm, config)
    for section in ("nlp", "components"):
        if not isinstance(config.get(section), dict):
            raise BiochunkError(f"{arm}: found no section [{section}], expected one, as in any spaCy config")
    return config


def _over_default(arm: str, changes: Config) -> Config:
    default = util.load_config(shipped_file("pipelines", DEFAULT_ARM), interpolate=False)
    known = default["components"]
    unknown = next((name for name in changes.get("components", {}) if name not in known), None)
    if unknown is not None:
        raise BiochunkError(
            f"{arm}: found the component '{unknown}', expected one of: {', '.join(known)}. To add a component, write a "
            "whole config with [nlp] and its pipeline"
        )
    return default.merge(changes)


def wants_table(config: Config) -> bool:
    """Whether the config's chunk selector encodes with a static table, which has to be distilled first."""
    encoders = (selector.get("encoder", {}) for _, selector in _selectors(config))
    return any(encoder.get("@misc", _STATIC) == _STATIC for encoder in encoders)


def configured_table(arm: str, config: Config) -> str | None:
    """The table that a config of the user's names itself under [initialize]; the shipped ones name none."""
    settings = _interpolated(arm, config)["initialize"].get("components", {})
    sources = (settings.get(name, {}).get("encoder_source") for name, _ in _selectors(config))
    return next((source for source in sources if source), None)


def _selectors(config: Config) -> list[tuple[str, Any]]:
    return [(n, c) for n, c in config["components"].items() if c.get("factory") == "hybrid_selector"]


def build_pipeline(
    dataset: Dataset,
    *,
    arm: str = DEFAULT_ARM,
    overrides: Mapping[str, Any] | None = None,
    encoder: str | Path | None = None,
    name: str | None = None,
    version: str | None = None,
) -> Language:
    """Build a pipeline in memory.

    dataset (Dataset): What it knows. The dataset's `parameters` are put into the components' configs, except
        where the arm's config sets the same option: what an arm writes out makes it that arm.
    arm (str): Name of a config that comes with the package, or a path that ends in ".cfg".
    overrides (Mapping[str, Any] | None): Values laid over the arm's config, by dotted name such as
        "components.hybrid_selector.top_k"; the component must stand in the arm.
    encoder (str | Path | None): Folder of a static table, as `StaticEncoder.to_disk` writes it; None where
        the arm's encoder needs none.
    name (str | None): The pipeline is called "biochunk_<name>"; default: the dataset's name, and where the arm
        is not "hybrid" that of the arm, of a ".cfg" file its stem.
    version (str | None): Version of the pipeline; default: the dataset's.
    RETURNS (Language): The pipeline. No path stands in its config; it may be used, saved or packaged.
    RAISES (BiochunkError): When the arm's config is wrong, or its encoder lacks its table.
    """
    config = arm_config(arm, overrides or {})
    _resolve(arm, config)
    _drop_datasets(config)
    _apply(config, dataset.parameters)
    sourced = list(util.get_sourced_components(config))
    try:
        nlp = util.load_model_from_config(config, auto_fill=True)
    except BiochunkError:
        raise
    except (ValueError, OSError) as error:
        raise _config_error(arm, error) from None
    _initialize(nlp, dataset, encoder, sourced)
    _forget_paths(nlp)
    _describe(nlp, dataset, arm=arm, name=name, version=version)
    return nlp


def arm_config(arm: str, overrides: Mapping[str, Any]) -> Config:
    """The config of an arm with values laid over it; see `build_pipeline`."""
    config = read_arm(arm)
    for name, value in overrides.items():
        *sections, option = name.split(".")
        section: Any = config
        for part in sections:
            section = section.get(part) if isinstance(section, dict) else None
        if not isinstance(section, dict):
            raise UsageError(f"{arm}: found a value for '{name}', expected an option of a section that the arm has")
        section[option] = value
    return config


def local_paths(nlp: Language) -> list[str]:
    """Options of a pipeline's config that name a file of this machine, each as "section.option = value"."""
    found = []
    for keys, value in util.walk_dict(nlp.config):
        if isinstance(value, str) and _is_local(value):
            found.append(f"{'.'.join(keys)} = {value}")
    return found


def _is_local(value: str) -> bool:
    """A hub name such as "owner/model" is no path unless there is such a folder."""
    return Path(value).is_absolute() or (_SEPARATOR.search(value) is not None and Path(value).exists())


def _resolve(arm: str, config: Config) -> None:
    """Put values in place of variables, so that nothing points to a section that is emptied later."""
    resolved = _interpolated(arm, config)
    for section in ("nlp", "components"):
        config[section] = resolved[section]


def _interpolated(arm: str, config: Config) -> Config:
    try:
        return Config(DEFAULT_CONFIG).merge(config).interpolate()
    except ValueError as error:
        raise _config_error(arm, error) from None


def _drop_datasets(config: Config) -> None:
    """Take out the config's own dataset, usually a path that is not set: `_initialize` puts ours in."""
    for settings in config.get("initialize", {}).get("components", {}).values():
        if settings.get("dataset", {}).get("@readers") == _READER:
            del settings["dataset"]


def _apply(config: Config, parameters: Parameters) -> None:
    changed = parameters.model_dump(exclude_none=True)
    for component in config["components"].values():
        for option, value in changed.get(component.get("factory"), {}).items():
            component.setdefault(option, value)


def _initialize(nlp: Language, dataset: Dataset, encoder: str | Path | None, sourced: Sequence[str]) -> None:
    """What `spacy assemble` does, with this dataset in every component of ours.

    sourced (Sequence[str]): Components that come with their weights; `initialize` would wipe these out.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "dataset.json"
        path.write_text(dataset.model_dump_json(), encoding="utf8")
        settings = nlp.config["initialize"]["components"]
        for name, pipe in nlp.components:
            if isinstance(pipe, KnowledgePipe):
                own = settings.setdefault(name, {})
                own["dataset"] = {"@readers": _READER, "path": str(path)}
                if isinstance(pipe, HybridSelector) and encoder is not None:
                    own["encoder_source"] = str(encoder)
        with nlp.select_pipes(disable=sourced):
            nlp.initialize()


def _forget_paths(nlp: Language) -> None:
    """Everything that the paths led to is inside the components now."""
    default = Config(DEFAULT_CONFIG)
    for section in ("paths", "initialize"):
        nlp.config[section] = default[section]
    for name, pipe in nlp.components:
        if isinstance(pipe, EntitySpans) and pipe.recognisers:
            # Recognisers are carried along; what they are called is all that is left to say.
            names = {source: recogniser.name for source, recogniser in pipe.recognisers.items()}
            settings = nlp.get_pipe_config(name)
            settings["ner"] = names.get(NER, settings["ner"])
            sources = [source if source == NER else names.get(source, source) for source in pipe.sources]
            if len(set(sources)) < len(sources):
                raise BiochunkError(f"found two pipelines of one name in {sources}, expected each to have its own name")
            settings["source"] = sources if len(sources) > 1 else sources[0]


def _describe(nlp: Language, dataset: Dataset, *, arm: str, name: str | None, version: str | None) -> None:
    if name is None:
        # Two pipelines of one name would replace each other where they are installed.
        own = _NO_NAME.sub("_", Path(arm).stem.lower()).strip("_") if arm.endswith(".cfg") else arm
        name = dataset.name if arm == DEFAULT_ARM else f"{dataset.name}_{own}"
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"found the name '{name}', expected small letters, digits and single underscores; give another with --name"
        )
    nlp.meta["name"] = f"biochunk_{name}"
    nlp.meta["version"] = checked_version(version or dataset.version)
    description = dataset.description or f"Evidence chunks for the dataset {dataset.name}"
    nlp.meta["description"] = " ".join(description.split())
    nlp.meta["author"] = "The biochunk authors"
    nlp.meta["license"] = "MIT"
    nlp.meta["spacy_version"], nlp.meta["requirements"] = _requirements(nlp)
    sources = [_table_source(pipe) for _, pipe in nlp.components]
    nlp.meta["sources"] = [{"name": source} for source in sources if source]


def checked_version(version: str) -> str:
    """A version as Python packages write it.

    RAISES (UsageError): When it is none.
    """
    try:
        return str(Version(version))
    except InvalidVersion:
        raise UsageError(f"found the version '{version}', expected one such as 0.1.0") from None


def _requirements(nlp: Language) -> tuple[str, list[str]]:
    """The range of spaCy, and what must be installed: any biochunk of this minor version will do."""
    major, minor = __version__.split(".")[:2]
    functions = {value for keys, value in util.walk_dict(nlp.config["components"]) if keys[-1] == "@misc"}
    extras = ",".join(sorted({_EXTRAS[name] for name in functions if name in _EXTRAS}))
    spacy = next(r for r in requires("biochunk") or () if re.match(r"spacy\b", r)).removeprefix("spacy")
    own = f"biochunk[{extras}]" if extras else "biochunk"
    return spacy, [f"{own}>={major}.{minor},<{major}.{int(minor) + 1}", f"spacy{spacy}"]


def _table_source(pipe: object) -> str | None:
    encoder = pipe.encoder if isinstance(pipe, HybridSelector) else None
    if isinstance(encoder, StaticEncoder) and not encoder.is_empty:
        return f"{encoder.table.meta['source']} (word-piece vectors)"
    return None


def _config_error(arm: str, error: Exception) -> BiochunkError:
    return BiochunkError(f"{arm}: this config cannot be used: {config_problem(error)}")
