package dev.spur.service.plan;

import java.util.Collections;
import java.util.Enumeration;
import java.util.regex.Pattern;

/** Content codings that a client accepts (RFC 9110, 12.5.3). */
final class ContentCodings {
    private static final Pattern REFUSED = Pattern.compile(";\\s*q\\s*=\\s*0(\\.0*)?\\s*$", Pattern.CASE_INSENSITIVE);

    private ContentCodings() {}

    /**
     * True if these values of {@code Accept-Encoding} allow gzip; false if there are none, because such a client may
     * not support it.
     */
    static boolean takeGzip(Enumeration<String> values) {
        boolean any = false;
        for (String element : String.join(",", Collections.list(values)).split(",", -1)) {
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
