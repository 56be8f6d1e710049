package dev.spur.service.web.contract;

import org.jspecify.annotations.Nullable;

/** The header Idempotency-Key. */
public final class IdempotencyKey {
    private IdempotencyKey() {}

    /** The key in the header; as a structured field, it may be in quotes. Null if the header is absent. */
    public static @Nullable String of(@Nullable String header) {
        return header != null && header.startsWith("\"") ? header.substring(1, header.length() - 1) : header;
    }
}
