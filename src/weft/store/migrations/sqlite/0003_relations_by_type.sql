-- Relations of one type, newest first: ids begin with the time, so that a page costs what it shows.

CREATE INDEX relation_by_type ON relation (type, id);
