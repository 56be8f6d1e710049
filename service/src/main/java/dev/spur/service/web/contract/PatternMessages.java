package dev.spur.service.web.contract;

import java.util.Map;
import java.util.Optional;

/** Regular expressions of the contract in words. */
final class PatternMessages {
    private static final String NAME = "may only have letters, digits and %s, and must begin with a letter or digit";
    private static final String NO_CONTROL = "must be without control characters";

    /** Messages by the beginning of the pattern, which is the whole pattern where it is short. */
    private static final Map<String, String> MESSAGES = Map.ofEntries(
            Map.entry("^[A-Za-z0-9][A-Za-z0-9._:+@-]*$", NAME.formatted(". _ : + @ -")),
            Map.entry("^[A-Za-z0-9][A-Za-z0-9._:/+@-]*$", NAME.formatted(". _ : / + @ -")),
            Map.entry(
                    "^(?!spur/)[A-Za-z0-9][A-Za-z0-9._:/+@-]*$",
                    NAME.formatted(". _ : / + @ -") + ", but not with spur/"),
            Map.entry("^[A-Za-z0-9][A-Za-z0-9.:_-]*$", NAME.formatted(". : _ -")),
            Map.entry(
                    "^(?!SPUR_(?!ARRAY(_INDEX)?$))[A-Za-z_][A-Za-z0-9_]*$",
                    "may only have letters, digits and _, and must begin neither with a digit nor with SPUR_"),
            Map.entry("^[0-9]{1,7}(-", "must be indices and ranges such as 0-99:2,200"),
            Map.entry("^(NONE|", "must be NONE or the id of an array"),
            Map.entry("^[!-~]+$", "may only have visible ASCII characters, without spaces"),
            Map.entry(
                    "^(?!\\.{1,2}$)",
                    "must be one line of visible characters other than . and .., without white space at its beginning or end"),
            Map.entry(
                    "^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad",
                    "must be one line without control characters and invisible characters"),
            Map.entry("^[^=]+=", "must be NAME=VALUE, without control characters and invisible characters"),
            Map.entry("^[^\\u0000]*$", "must be without the character U+0000"),
            Map.entry("^[^\\u0000-\\u001f\\u007f-\\u009f]", NO_CONTROL),
            Map.entry("^[^\\u0000-\\u0008\\u000b-\\u001f", NO_CONTROL + " other than tab and line feed"),
            Map.entry("^/[^\\u0000-\\u001f\\u007f-\\u009f]*$", "must be an absolute path without control characters"),
            Map.entry("^[A-Za-z]+$", "may only have letters"),
            Map.entry("^([0-9a-f]{2}){16,64}$", "must have 16 to 64 bytes as lower-case hexadecimal digits"),
            Map.entry("^[a-z ]+$", "may only have lower-case letters and spaces"),
            Map.entry("^[a-z]+(-[a-z]+)*$", "must be words of lower-case letters, joined by -"),
            Map.entry("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", "may only have lower-case letters, digits and inner hyphens"),
            Map.entry("^[A-Z]+(_[A-Z]+)*$", "must be words of upper-case letters, joined by _"),
            Map.entry("^\\d{1,18}-\\d{1,18}$", "must be the id of an event, such as 700-42"),
            Map.entry(
                    "^(?!0000|",
                    "must be a time with Z or an offset, in the years 1 to 9999 of UTC, such as 2027-01-31T18:00:00Z"),
            Map.entry("Z$", "must be a time in UTC, such as 2027-01-31T18:00:00Z"),
            Map.entry(
                    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
                    "must be an id such as 8f14e45f-ceea-467f-9a36-dedd4bea2543"),
            Map.entry(
                    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\.",
                    "must be the id of a job, a dot, and a generation, such as 8f14e45f-ceea-467f-9a36-dedd4bea2543.2"),
            Map.entry("^[Hh][Tt][Tt][Pp]", "must be a URL such as https://example.org/path"),
            Map.entry("^[A-Za-z0-9_-]+$", "must be the value of next of another page"),
            Map.entry("^[*]$", "must be *"),
            Map.entry(
                    "^(\"[!-~ ]",
                    "must have 1 to 255 printable ASCII characters, with quotation marks around all or none"));

    private PatternMessages() {}

    /** Returns what the pattern requires; empty if it has no message. */
    static Optional<String> of(String pattern) {
        return MESSAGES.entrySet().stream()
                .filter(entry -> pattern.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
