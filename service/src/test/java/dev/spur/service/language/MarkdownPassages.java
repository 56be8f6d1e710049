package dev.spur.service.language;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The prose of a Markdown file: paragraphs, list items and table cells without code, formulas and link targets. */
final class MarkdownPassages {
    /** Maximum length of a line, without the targets of its links. */
    static final int MAX_LINE = 160;

    private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)\\](?:\\([^)]*\\)|\\[[^\\]]*\\])");
    private static final Pattern CODE = Pattern.compile("``[^`]+``|`[^`]*`|\\$[^$]+\\$");
    private static final Pattern START = Pattern.compile("^\\s*(?:[-*+]|\\d+\\.|#+|>)\\s+|^\\s*$|^\\s*\\|");
    private static final Pattern CELL_END = Pattern.compile("(?<!\\\\)\\|");

    private MarkdownPassages() {}

    static List<Passage> of(Path root, Path file) throws IOException {
        List<Passage> passages = new ArrayList<>();
        String name = root.relativize(file).toString();
        StringBuilder paragraph = new StringBuilder();
        int start = 0;
        int number = 0;
        boolean verbatim = false;
        for (String line : Files.readAllLines(file)) {
            number++;
            boolean fence = line.strip().startsWith("```") || line.strip().equals("$$");
            verbatim ^= fence;
            boolean skipped =
                    fence || verbatim || line.startsWith("    ") || line.strip().startsWith("<");
            if (skipped || START.matcher(line).find()) {
                add(passages, name, start, paragraph);
                start = number;
            }
            if (skipped) {
                continue;
            }
            if (line.strip().startsWith("|")) {
                int row = number;
                CELL_END.splitAsStream(line)
                        .map(String::strip)
                        .filter(cell -> !cell.isEmpty())
                        .forEach(cell -> passages.add(new Passage(name + ":" + row, plain(cell))));
            } else {
                paragraph
                        .append(line.replaceFirst("^\\s*(?:[-*+]|\\d+\\.|#+|>)\\s+", ""))
                        .append(' ');
            }
        }
        add(passages, name, start, paragraph);
        return passages;
    }

    /** Returns the lines that are too long, outside code and tables. */
    static List<String> longLines(Path root, Path file) throws IOException {
        List<String> found = new ArrayList<>();
        int number = 0;
        boolean verbatim = false;
        for (String line : Files.readAllLines(file)) {
            number++;
            boolean fence = line.strip().startsWith("```");
            verbatim ^= fence;
            int length = LINK.matcher(line).replaceAll("[$1]").length();
            if (!fence && !verbatim && !line.strip().startsWith("|") && length > MAX_LINE) {
                found.add("%s:%d: %d characters".formatted(root.relativize(file), number, length));
            }
        }
        return found;
    }

    private static void add(List<Passage> passages, String name, int line, StringBuilder paragraph) {
        if (!paragraph.toString().isBlank()) {
            passages.add(new Passage(
                    name + ":" + Math.max(1, line), plain(paragraph.toString().strip())));
        }
        paragraph.setLength(0);
    }

    private static String plain(String text) {
        String linked = LINK.matcher(CODE.matcher(text).replaceAll("X")).replaceAll("$1");
        return linked.replaceAll("[*]{1,3}|<[^>]+>", "").replace("<br>", " ");
    }
}
