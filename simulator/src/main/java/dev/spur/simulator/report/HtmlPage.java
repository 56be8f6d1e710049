package dev.spur.simulator.report;

import java.util.List;
import java.util.stream.Collectors;

/** Builder of an HTML page. */
public final class HtmlPage {
    private static final String STYLE = """
            :root { color-scheme: light dark; --ink: #222; --soft: #666; --ground: #fff; --rule: #ddd; }
            @media (prefers-color-scheme: dark) {
              :root { --ink: #e6e6e6; --soft: #a0a0a0; --ground: #181a1b; --rule: #3a3d3f; }
            }
            body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground);
              max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
            h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 0.3rem; }
            p { margin: 0.3rem 0; color: var(--soft); max-width: 48rem; }
            .wide { overflow-x: auto; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th, td { padding: 0.25rem 0.6rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
            th:first-child, td:first-child { text-align: left; }
            .bars { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem; }
            svg { width: 100%; height: auto; display: block; }
            """;

    private final StringBuilder out = new StringBuilder();

    public HtmlPage(String title) {
        String own = escape(title);
        out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s</h1>\n"
                        .formatted(own, STYLE, own));
    }

    /** Adds a table. */
    public void table(ResultTable table) {
        out.append("<div class=\"wide\"><table>\n").append(row("th", table.header()));
        table.rows().forEach(cells -> out.append(row("td", cells)));
        out.append("</table></div>\n");
    }

    private static String row(String tag, List<String> cells) {
        return cells.stream()
                .map(cell -> "<%s>%s</%s>".formatted(tag, escape(cell), tag))
                .collect(Collectors.joining("", "<tr>", "</tr>\n"));
    }

    /** Adds a note. */
    public void note(String text) {
        out.append("<p>").append(escape(text)).append("</p>\n");
    }

    void beginBars(String heading) {
        out.append("<h2>").append(escape(heading)).append("</h2>\n<div class=\"bars\">\n");
    }

    void bar(String svg) {
        out.append(inline(svg));
    }

    void endBars() {
        out.append("</div>\n");
    }

    /** Adds a plot with a heading and a note. */
    public void section(String heading, String note, String svg) {
        out.append("<h2>").append(escape(heading)).append("</h2>\n");
        note(note);
        out.append(inline(svg));
    }

    /** Returns {@code svg} without the namespaces, which HTML does not need. */
    private static String inline(String svg) {
        return svg.replaceAll(" xmlns(:\\w+)?=\"[^\"]*\"", "");
    }

    /** Returns the complete page. */
    public String end() {
        return out.append("</body>\n</html>\n").toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
