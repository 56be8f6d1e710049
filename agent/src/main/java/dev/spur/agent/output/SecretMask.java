package dev.spur.agent.output;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Replaces secrets in text: values of environment variables with names such as {@code WANDB_API_KEY}, tokens of common
 * formats, passwords in URLs and assignments, and private keys. It does not detect encoded or split secrets.
 */
public final class SecretMask {
    /** Replacement of a secret. */
    public static final String MASK = "***";

    /** Shortest value that is masked. Shorter ones, such as 1, would mask unrelated text. */
    private static final int MIN_LENGTH = 4;

    /** A private key of 4096 bits in one line has some 3,300 characters. */
    private static final int LONGEST_FORMAT = 4096;

    private static final Pattern SECRET_NAME = Pattern.compile(
            "TOKEN(?!IZER|S)|SECRET|PASSW|PASSPHRASE|CREDENTIAL|KEY|PRIVATE|COOKIE|(^|_)(AUTH|PASS|PAT|PWD)(_|$)",
            Pattern.CASE_INSENSITIVE);
    /** Names that match although their values are not secret. */
    private static final Set<String> PUBLIC_NAMES = Set.of("PWD", "OLDPWD", "SSH_AUTH_SOCK");

    /** Values that are not secret, whatever the name. */
    private static final Pattern PUBLIC_VALUE =
            Pattern.compile("true|false|none|null|auto|default|[0-9]{1,7}", Pattern.CASE_INSENSITIVE);

    /** Each pattern is linear in the length of the text. The groups {@code before} and {@code after} are retained. */
    private static final List<Pattern> FORMATS = List.of(
            Pattern.compile("(?<before>-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)(?s:.*?)(?<after>-----END|\\z)"),
            Pattern.compile(
                    "(?<before>\\A)(?s:(?!-----BEGIN|-----END).)++(?<after>-----END [A-Z ]{0,40}PRIVATE KEY-----)"),
            Pattern.compile(token("spur_[A-Za-z0-9_-]{20,}+")),
            Pattern.compile(token("eyJ[A-Za-z0-9_-]{10,}+\\.[A-Za-z0-9_-]{10,}+(\\.[A-Za-z0-9_-]*+)?")),
            Pattern.compile(token("(gh[pousr]_|github_pat_|glpat-|hf_|sk-|npm_|pypi-|dckr_pat_)[A-Za-z0-9_-]{16,}+")),
            Pattern.compile(token("xox[abeoprs]-[A-Za-z0-9-]{10,}+")),
            Pattern.compile(token("(AKIA|ASIA)[A-Z0-9]{16}+")),
            Pattern.compile(token("AIza[A-Za-z0-9_-]{30,}+")),
            Pattern.compile("(?<before>(?i:\\b(?:bearer|basic)) {1,4})[A-Za-z0-9._~+/=-]{8,}+(?<after>)"),
            Pattern.compile("(?<before>://[^/\\s:@]{0,100}+:)[^/\\s@]{1,200}+(?<after>@)"),
            Pattern.compile(
                    "(?<before>(?i:passw(?:or)?d|passphrase|secret|api_?-?key|access_?-?key|secret_?-?key|private_?-?key"
                            + "|client_?-?secret|auth_?-?token|access_?-?token|refresh_?-?token)[\"']?\\s{0,4}[=:]\\s{0,4}[\"']?)"
                            + "[^\\s\"',;]{4,}+(?<after>)"));

    private final List<String> values;

    private SecretMask(Collection<String> values) {
        // a value that contains another is replaced first
        this.values = values.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    private static String token(String format) {
        return "(?<before>(?<![A-Za-z0-9_-]))" + format + "(?<after>)";
    }

    /**
     * Creates a mask.
     *
     * @param environment environment of the process, by name
     * @param further secrets that no variable contains
     */
    public static SecretMask of(Map<String, String> environment, Collection<String> further) {
        Set<String> values = new TreeSet<>();
        environment.forEach((name, value) -> {
            if (SECRET_NAME.matcher(name).find() && !PUBLIC_NAMES.contains(name)) {
                addLines(values, value);
            }
        });
        further.forEach(value -> addLines(values, value));
        return new SecretMask(values);
    }

    /** Adds each line of a value, because output is masked by line. */
    private static void addLines(Set<String> values, String value) {
        Set<String> lines = new LinkedHashSet<>();
        value.lines().map(String::strip).forEach(lines::add);
        lines.removeIf(
                line -> line.length() < MIN_LENGTH || PUBLIC_VALUE.matcher(line).matches());
        values.addAll(lines);
    }

    /** Returns the length that no secret exceeds: of the values, and of common formats. */
    int longest() {
        return Math.max(LONGEST_FORMAT, values.isEmpty() ? 0 : values.get(0).length());
    }

    /** Returns the text with masked secrets. */
    public String mask(String text) {
        String masked = text;
        for (String value : values) {
            masked = masked.replace(value, MASK);
        }
        for (Pattern format : FORMATS) {
            masked = format.matcher(masked).replaceAll("${before}" + MASK + "${after}");
        }
        return masked;
    }
}
