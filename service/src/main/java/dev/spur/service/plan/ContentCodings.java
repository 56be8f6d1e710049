package dev.spur.service.plan;

import java.util.regex.Pattern;

/** Content codings that a client accepts (RFC 9110, 12.5.3). */
final class ContentCodings {
    private static final Pattern REFUSED = Pattern.compile(";\\s*q\\s*=\\s*0(\\.0*)?\\s*$", Pattern.CASE_INSENSITIVE);

    private ContentCodings() {}

    /**
     * True if this value of {@code Accept-Encoding} allows gzip; false if it is empty, because such a client may not
     * support it.
     */
    static boolean takeGzip(String value) {
        boolean any = false;
        for (String element : value.split(",", -1)) {
            boolean taken = !REFUSED.matcher(element).find();
            String coding = element.split(";", 2)[0].strip();
            if (coding.equalsIgnoreCase("gzip")) {
                return taken;
            }
            any |= taken && coding.equals("*");
        }
        return any;
    }
}
