package dev.spur.service.plan;

import dev.spur.model.json.RoundJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** An answer written once for all who ask, and compressed once for all who take it so. */
final class EncodedBody {
    private final long revision;
    private final byte[] json;
    private byte @Nullable [] zipped;

    /**
     * @param revision revision with which it last changed, its ETag
     * @param json the body; not to be changed
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

    /** The body; not to be changed. */
    byte[] json() {
        return json;
    }

    /** The body in gzip; not to be changed. */
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
