-- Documents by the files that their texts came from, so that those of a folder are found.

CREATE INDEX source_by_path ON source (path, document, ontology, id);
