package dev.spur.service.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 hashes that identify content. */
public final class Sha256 {
    private Sha256() {}

    /** The hash of some bytes, 32 bytes. */
    public static byte[] of(byte[] content) {
        return digest().digest(content);
    }

    /** An incremental hash. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    /** The hash of a text, 32 bytes. */
    public static byte[] of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The hash of a text, 64 hexadecimal digits. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }
}
