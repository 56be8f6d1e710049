package dev.spur.service.plan;

import dev.spur.model.json.RoundJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A response body, serialized once and compressed at most once. */
final class EncodedBody {
    private final long revision;
    private final byte[] json;
    private byte @Nullable [] zipped;

    /**
     * @param revision revision of its last change, which is its ETag
     * @param json the body; must not be modified
     */
    EncodedBody(long revision, byte[] json) {
        this.revision = revision;
        this.json = json;
    }

    static EncodedBody of(long revision, Object body) {
        return new EncodedBody(revision, RoundJson.mapper().writeValueAsBytes(body));
    }

    long revision() {
        return revision;
    }

    /** The body; must not be modified. */
    byte[] json() {
        return json;
    }

    /** The compressed body; must not be modified. */
    synchronized byte[] zipped() {
        byte[] body = zipped;
        if (body == null) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
                stream.write(json);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            body = packed.toByteArray();
            zipped = body;
        }
        return body;
    }
}
