package dev.spur.benchmarks.fuzz;

import java.util.List;
import java.util.Random;

/** Values that commonly break parsers and validation. */
final class HostileValues {
    /** Replacements of a JSON value. Some are not valid JSON. */
    private static final List<String> JSON = List.of(
            "null",
            "true",
            "\"\"",
            "\"text\"",
            "[]",
            "{}",
            "[[]]",
            "{\"\": null}",
            "0",
            "-0",
            "-1",
            "0.5",
            "1e400",
            "-1e400",
            "1e-400",
            "1e308",
            "4e-324",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "2147483648",
            "123456789012345678901234567890123456789012345678901234567890",
            "0.1000000000000000055511151231257827021181583404541015625",
            "1E+2",
            "1.0",
            "NaN",
            "Infinity",
            "-Infinity",
            "01",
            ".5",
            "0x10",
            "'single'",
            "undefined",
            "\"\\u0000\"",
            "\"a\\u0000b\"",
            "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"\\uffff\"",
            "\"\\u202e\\u0007\\u001b[31m\"",
            "\"\u00e4\u00f6\u00fc\"",
            "\"../../etc/passwd\"",
            "\"'; drop table job; --\"",
            "\"%s%n%d${jndi:x}\"",
            "\"<script>alert(1)</script>\"",
            "\"2026-02-30T25:61:61Z\"",
            "\"+1000000000-12-31T23:59:59Z\"",
            "\"-1000000000-01-01T00:00:00Z\"",
            "\"9999-12-31T23:59:60Z\"",
            "\"" + "x".repeat(5_000) + "\"",
            "\"" + "\\u0001".repeat(300) + "\"",
            "[" + "0,".repeat(2_000) + "0]",
            "[".repeat(80) + "]".repeat(80),
            "{\"a\":".repeat(70) + "1" + "}".repeat(70));

    /** Replacements of a path segment. */
    private static final List<String> SEGMENTS = List.of(
            "",
            ".",
            "..",
            "%2e%2e",
            "%2F",
            "a%2Fb",
            "%5C",
            "%00",
            "a%00b",
            "%0d%0aX-Evil:1",
            "%",
            "%zz",
            "%c0%af",
            "%ff%fe",
            "%ed%a0%80",
            "%F0%9F%A6%84",
            "a;b=c",
            ";jsessionid=1",
            "*",
            "null",
            "0",
            "-1",
            "1e9",
            "9223372036854775808",
            "00000000-0000-0000-0000-000000000000",
            "'",
            "a'b--",
            "$%7Bx%7D",
            "x".repeat(300),
            "x".repeat(3_000));

    /** Replacements of a parameter value, encoded as in a query. */
    private static final List<String> PARAMETERS = List.of(
            "",
            "0",
            "-1",
            "1.5",
            "1e3",
            "501",
            "99999999999999999999",
            "9223372036854775807",
            "NaN",
            "true",
            "null",
            "%00",
            "%ff",
            "%zz",
            "a%00",
            "%20",
            "+",
            "a=b",
            "a=",
            "=",
            "a%3Db%3Dc",
            "%27",
            "2026-02-30T00:00:00Z",
            "-999999999-01-01T00:00:00Z",
            "2026-11-01T00:00:00Z",
            "AAAA",
            "eyJ9",
            "%F0%9F%A6%84",
            "x".repeat(2_000));

    /** Complete header lines. */
    private static final List<String> HEADERS = List.of(
            "Accept: text/html",
            "Accept: application/json;q=0",
            "Accept: */*;q=nonsense",
            "Accept: ,,;;=",
            "Accept: application/problem+json",
            "Accept-Encoding: gzip, br;q=nonsense",
            "Accept-Language: tlh",
            "Accept-Charset: utf-7",
            "Content-Encoding: gzip",
            "Content-Language: \u00e4",
            "Content-Type: text/plain",
            "Content-Type: application/json; charset=utf-16",
            "Content-Type: application/json; charset=nonsense",
            "Content-Type: application/xml",
            "Content-Type: multipart/form-data; boundary=x",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Type: nonsense",
            "Content-Type: ",
            "Cookie: a=b; \"",
            "Expect: 200-ok",
            "Forwarded: for=\"_x\"",
            "X-Forwarded-For: 1.2.3.4",
            "If-Match: *",
            "If-Match: nonsense",
            "If-Match: \"0\"",
            "If-Match: W/\"1\"",
            "If-Match: \"1\", \"2\"",
            "If-None-Match: *",
            "If-None-Match: \"1\"",
            "If-None-Match: \"",
            "If-Modified-Since: yesterday",
            "Idempotency-Key: ",
            "Idempotency-Key: \"one\"",
            "Idempotency-Key: " + "k".repeat(300),
            "Idempotency-Key: \u00e4\u00f6",
            "Range: bytes=0-1",
            "Range: nonsense",
            "X-HTTP-Method-Override: DELETE",
            "X-Request-Id: ",
            "X-Request-Id: a b",
            "X-Request-Id: " + "r".repeat(200),
            "X-Request-Id: \u00fc",
            "X-Long: " + "l".repeat(4_000));

    /** Complete bodies. */
    private static final List<String> BODIES = List.of(
            "",
            " ",
            "{",
            "}",
            "{}",
            "[]",
            "null",
            "0",
            "\"\"",
            "{}{}",
            "{} x",
            "{\"a\":1,\"a\":2}",
            "{a:1}",
            "/* */ {}",
            "\u00ef\u00bb\u00bf{}",
            "\u00ff\u00fe{\u0000}\u0000",
            "{\"\u00c3(\": 1}",
            "{\"a\": \"\u0000\"}",
            "[".repeat(5_000),
            "{\"a\":".repeat(3_000),
            "<xml/>",
            "a=b&c=d",
            "\"" + "y".repeat(150_000) + "\"");

    private HostileValues() {}

    static String json(Random random) {
        return any(JSON, random);
    }

    static String segment(Random random) {
        return any(SEGMENTS, random);
    }

    static String parameter(Random random) {
        return any(PARAMETERS, random);
    }

    static String header(Random random) {
        return any(HEADERS, random);
    }

    static String body(Random random) {
        return any(BODIES, random);
    }

    private static String any(List<String> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }
}
