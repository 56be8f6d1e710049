package dev.spur.service.language;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The prose of a Java file: comments, and string literals that are messages, labels or help texts. */
final class JavaPassages {
    /** Maximum length of a comment line. */
    static final int MAX_LINE = 120;

    private static final Pattern TOKEN = Pattern.compile(
            "(?<doc>/\\*.*?\\*/)|(?<line>//[^\\n]*)|(?<block>\"\"\".*?(?<!\\\\)\"\"\")|(?<text>\"(?:[^\"\\\\\\n]|\\\\.)*\")"
                    + "|'(?:[^'\\\\\\n]|\\\\.)+'",
            Pattern.DOTALL);
    private static final Pattern SQL = Pattern.compile(
            "\\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|JOIN|VALUES|RETURNING|CREATE|select|insert into|update|where)\\b.*",
            Pattern.DOTALL);
    private static final Pattern TAG = Pattern.compile("\\{@(?:code|link|linkplain|value|literal)\\s+[^}]*\\}");
    private static final Pattern PARAGRAPH =
            Pattern.compile("<p>|<li>|</?ul>|</?ol>|\\n\\s*\\n|@(?:param|return|throws|see)\\b");
    private static final Pattern MESSAGE = Pattern.compile(".*\\p{L}{2,} .*\\p{L}{2,}.*", Pattern.DOTALL);

    private JavaPassages() {}

    static List<Passage> of(Path root, Path file) throws IOException {
        List<Passage> passages = new ArrayList<>();
        String source = Files.readString(file);
        String name = root.relativize(file).toString();
        for (MatchResult token : TOKEN.matcher(source).results().toList()) {
            String text = token.group();
            String place = name + ":"
                    + (1
                            + source.substring(0, token.start())
                                    .chars()
                                    .filter(c -> c == '\n')
                                    .count());
            if (text.startsWith("/*")) {
                String plain = text.replaceAll("(?m)^\\s*/?\\*+/?|\\*+/$", "").replaceAll("(?s)<pre>.*?</pre>", " ");
                PARAGRAPH
                        .splitAsStream(TAG.matcher(plain).replaceAll("X"))
                        .map(part -> part.replaceAll("<[^>]+>|\\$?`[^`]*`", "")
                                .replaceAll("\\s+", " ")
                                .strip())
                        .filter(part -> !part.isEmpty())
                        .forEach(part -> passages.add(new Passage(place, part)));
            } else if (text.startsWith("//")) {
                passages.add(new Passage(place, text.substring(2).strip()));
            } else if (!text.startsWith("'")) {
                String literal = text.replaceAll("^\"+|\"+$", "")
                        .replace("\\n", " ")
                        .replaceAll("\\s+", " ")
                        .strip();
                if (!literal.startsWith("<")
                        && MESSAGE.matcher(literal).matches()
                        && !SQL.matcher(literal).find()) {
                    passages.add(new Passage(place, literal));
                }
            }
        }
        return passages;
    }

    /** Returns the comment lines that are too long. */
    static List<String> longLines(Path root, Path file) throws IOException {
        List<String> found = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            String stripped = line.strip();
            boolean comment = stripped.startsWith("*") || stripped.startsWith("/**") || stripped.startsWith("//");
            if (comment && line.length() > MAX_LINE) {
                found.add("%s:%d: %d characters".formatted(root.relativize(file), number, line.length()));
            }
        }
        return found;
    }
}
