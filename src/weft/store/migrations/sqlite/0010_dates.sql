-- Days and months are found however they are written. All words are cut anew when the graph is opened; an older Weft,
-- which would cut them back, stays out.

UPDATE meta SET value = '' WHERE key = 'words';
