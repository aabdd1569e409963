-- What is written in other languages is found by the stems of their words too. All words are cut anew when the graph is
-- opened; an older Weft, which would cut them back, stays out.

UPDATE meta SET value = '' WHERE key = 'words';
