-- Irregular forms of a word are found by one another. All words are cut anew when the graph is opened; an older Weft, which
-- would cut them back, stays out.

UPDATE meta SET value = '' WHERE key = 'words';
