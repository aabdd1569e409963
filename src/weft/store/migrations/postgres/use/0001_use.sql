-- The memory of use: who read what, which hints were given, and which audited tools were called. A schema of its own, for
-- every role writes here, a reader too, and nothing here is of the graph.
--
-- What a crash or a failover may take is unlogged: it is written with almost every call, holds hints only, and would
-- else make up most of what the server logs and sends to its standbys. A standby has these tables empty, so all of it is
-- read and written on the primary. The record of audited calls alone is logged.

CREATE UNLOGGED TABLE use (
    node  plain NOT NULL PRIMARY KEY,
    count bigint NOT NULL,
    last  plain NOT NULL
);

CREATE UNLOGGED TABLE note (
    caller  plain NOT NULL,
    event   plain NOT NULL,
    subject plain NOT NULL,
    at      plain NOT NULL,
    PRIMARY KEY (caller, event, subject)
);
CREATE INDEX note_by_time ON note (caller, event, at);

CREATE UNLOGGED TABLE tally (
    event plain NOT NULL PRIMARY KEY,
    count bigint NOT NULL
);

CREATE UNLOGGED TABLE hint_offer (
    caller plain NOT NULL,
    hint   plain NOT NULL,
    after  plain NOT NULL,
    at     plain NOT NULL,
    PRIMARY KEY (caller, hint, after)
);
CREATE INDEX hint_offer_by_time ON hint_offer (at);

CREATE UNLOGGED TABLE hint_tally (
    after    plain NOT NULL,
    hint     plain NOT NULL,
    followed bigint NOT NULL,
    ignored  bigint NOT NULL,
    PRIMARY KEY (after, hint)
);

CREATE TABLE audit (
    row       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        plain NOT NULL,
    actor     plain NOT NULL,
    client    plain NOT NULL,
    caller    plain NOT NULL,
    tier      plain NOT NULL,
    tool      plain NOT NULL,
    arguments plain NOT NULL,
    reason    plain NOT NULL,
    outcome   plain NOT NULL,
    key       plain NOT NULL,
    batch     plain NOT NULL
);
