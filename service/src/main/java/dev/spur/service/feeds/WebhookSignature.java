package dev.spur.service.feeds;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Secrets and signatures in the form of Standard Webhooks 1.0, with HMAC SHA-256. */
final class WebhookSignature {
    private static final String PREFIX = "whsec_";
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private WebhookSignature() {}

    /** Generates a secret. */
    static String freshSecret() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Returns the value of the header {@code webhook-signature}.
     *
     * @param timestamp value of {@code webhook-timestamp}, seconds since 1970
     */
    static String of(String secret, String id, long timestamp, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(PREFIX.length())), "HmacSHA256"));
            byte[] signed = (id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8);
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the Java runtime has no HMAC SHA-256", e);
        }
    }
}
