package dev.spur.service.web.contract;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/** The header Idempotency-Key and the response to it. */
public final class IdempotencyKey {
    private IdempotencyKey() {}

    /** The key in the header; as a structured field, it may be in quotes. Null if the header is absent. */
    public static @Nullable String of(@Nullable String header) {
        return header != null && header.startsWith("\"") ? header.substring(1, header.length() - 1) : header;
    }

    /**
     * Returns the response to a submission.
     *
     * @param path path of the resource
     * @param replayed whether an earlier submission with the same key created it
     */
    public static ResponseEntity.BodyBuilder response(String path, boolean replayed) {
        ResponseEntity.BodyBuilder response = ResponseEntity.created(URI.create(path));
        return replayed ? response.header("Idempotent-Replayed", "true") : response;
    }
}
