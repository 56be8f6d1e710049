package dev.spur.service.access;

import dev.spur.service.security.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/** Secrets of tokens: a prefix by which people and scanners know them, and 256 random bits. */
final class TokenSecret {
    /** What every secret begins with. */
    static final String PREFIX = "spur_";

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private TokenSecret() {}

    /** A new secret. */
    static String fresh() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * What is stored of a secret. With so many random bits a plain hash cannot be turned back; salt and stretching are
     * for passwords.
     */
    static String hash(String secret) {
        return Sha256.hex(secret);
    }
}
