-- Words are kept by their roots, and which cut they are of is kept beside them: where it is not the one that this Weft
-- makes, all are cut anew when the graph is opened. An older Weft, which would mix its own among them, stays out.

INSERT INTO meta (key, value) VALUES ('words', '');
