package dev.spur.service.language;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The prose of files that are neither Java nor Markdown: YAML texts, comments, and labels of the dashboard. */
final class TextPassages {
    private static final Pattern YAML_KEY = Pattern.compile("^\\s*(?:- )?(?:[\\w$./{}-]+|\"[^\"]*\"):(?:\\s+|$)(.*)$");
    private static final Pattern SCRIPT_TEXT = Pattern.compile(
            "'(?:[^'\\\\\\n]|\\\\.)*'|\"(?:[^\"\\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`|//[^\\n]*|/\\*.*?\\*/",
            Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\p{L}{3,}");
    private static final Pattern LITERAL =
            Pattern.compile("\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"", Pattern.DOTALL);

    private TextPassages() {}

    /** Returns the values and comments of a YAML file; a value over several lines is one passage. */
    static List<Passage> yaml(Path root, Path file) throws IOException {
        List<Passage> passages = new ArrayList<>();
        String name = root.relativize(file).toString();
        StringBuilder value = new StringBuilder();
        int start = 0;
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            var key = YAML_KEY.matcher(line);
            boolean item = line.strip().startsWith("- ") || line.strip().startsWith("#") || line.isBlank();
            if (key.matches() || item) {
                add(passages, name, start, value);
                start = number;
            }
            value.append(key.matches() ? key.group(1) : line.strip()).append(' ');
        }
        add(passages, name, start, value);
        return passages;
    }

    /** Returns the literals and comments of a JavaScript file; also single words, which may be labels. */
    static List<Passage> script(Path root, Path file) throws IOException {
        List<Passage> passages = new ArrayList<>();
        String source = Files.readString(file);
        for (MatchResult match : SCRIPT_TEXT.matcher(source).results().toList()) {
            long line = 1
                    + source.substring(0, match.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            String text = match.group().replaceAll("\\$\\{[^}]*\\}", "X").replaceAll("(?m)^\\s*\\*|[/*'\"`]", " ");
            String plain = text.replaceAll("\\s+", " ").strip();
            if (WORD.matcher(plain).find()) {
                passages.add(new Passage(root.relativize(file) + ":" + line, plain));
            }
        }
        return passages;
    }

    /** Returns the comment lines of a script or SQL file. */
    static List<Passage> comments(Path root, Path file, String prefix) throws IOException {
        List<Passage> passages = new ArrayList<>();
        StringBuilder comment = new StringBuilder();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.strip().startsWith(prefix)) {
                comment.append(line.strip().substring(prefix.length()).strip()).append(' ');
            } else {
                add(passages, root.relativize(file).toString(), number, comment);
            }
        }
        add(passages, root.relativize(file).toString(), number, comment);
        return passages;
    }

    /** Returns the double-quoted literals of a shell or Python file, docstrings included. */
    static List<Passage> literals(Path root, Path file) throws IOException {
        String source = Files.readString(file);
        return LITERAL.matcher(source)
                .results()
                .map(match -> new Passage(
                        root.relativize(file) + ":"
                                + (1
                                        + source.substring(0, match.start())
                                                .lines()
                                                .count()),
                        match.group()
                                .replace("\"", "")
                                .replaceAll("`[^`]*`", "X")
                                .replaceAll("\\s+", " ")
                                .strip()))
                .filter(passage -> passage.text().contains(" "))
                .toList();
    }

    private static void add(List<Passage> passages, String name, int line, StringBuilder value) {
        String text = value.toString().strip().replaceAll("^[|>]-?\\s+|^['\"]|['\"]$|^- |^#+ ", "");
        if (text.contains(" ")) {
            passages.add(new Passage(name + ":" + line, text.replaceAll("`[^`]*`", "X")));
        }
        value.setLength(0);
    }
}
