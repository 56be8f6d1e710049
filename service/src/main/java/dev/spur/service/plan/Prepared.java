package dev.spur.service.plan;

import dev.spur.model.json.RoundJson;

/**
 * An answer written once for all who ask.
 *
 * @param revision revision with which it last changed, its ETag
 * @param json the body; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Prepared(long revision, byte[] json) {
    static Prepared of(long revision, Object body) {
        return new Prepared(revision, RoundJson.mapper().writeValueAsBytes(body));
    }

    String etag() {
        return "\"" + revision + "\"";
    }
}
