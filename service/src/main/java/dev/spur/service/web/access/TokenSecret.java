package dev.spur.service.web.access;

import dev.spur.service.security.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/** Secrets of tokens: a prefix that identifies them to users and secret scanners, and 256 random bits. */
public final class TokenSecret {
    /** Prefix of every secret. */
    static final String PREFIX = "spur_";

    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private TokenSecret() {}

    /** Generates a secret. */
    public static String fresh() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Hash of a secret as stored. With 256 random bits a plain hash cannot be inverted; salt and stretching are for
     * passwords.
     */
    public static String hash(String secret) {
        return Sha256.hex(secret);
    }
}
