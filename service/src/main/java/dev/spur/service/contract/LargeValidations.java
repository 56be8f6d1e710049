package dev.spur.service.contract;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Limits how many large bodies are parsed and validated at the same time: each requires a multiple of its size in
 * memory.
 */
final class LargeValidations {
    /** Default size limit of a body. Bodies up to this size are not counted here. */
    static final int ORDINARY_BYTES = 256 << 10;

    private static final int AT_ONCE = 2;

    private final Semaphore permits = new Semaphore(AT_ONCE);

    /**
     * Runs {@code validation} of a body and returns its result.
     *
     * @throws ProblemException 503 if the body is large and the limit is reached
     */
    <T> T run(byte[] body, Supplier<T> validation) {
        if (body.length <= ORDINARY_BYTES) {
            return validation.get();
        }
        if (!permits.tryAcquire()) {
            throw ProblemException.of(
                            ProblemType.UNAVAILABLE,
                            "%d bodies above %d bytes are being validated, which is the limit."
                                    .formatted(AT_ONCE, ORDINARY_BYTES))
                    .withHeader("Retry-After", "1");
        }
        try {
            return validation.get();
        } finally {
            permits.release();
        }
    }
}
