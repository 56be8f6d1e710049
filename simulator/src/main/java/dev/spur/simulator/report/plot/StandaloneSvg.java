package dev.spur.simulator.report.plot;

/** Standalone SVG file of a plot, on a white background. */
public final class StandaloneSvg {
    private static final String STYLE = """
            <style>
            text { font: 11px system-ui, sans-serif; fill: #444; }
            .middle { text-anchor: middle; } .end { text-anchor: end; }
            .grid { stroke: #ddd; stroke-width: 1; }
            .curve { fill: none; stroke-width: 1.8; }
            </style>
            <rect width="100%" height="100%" fill="#fff"/>
            """;

    private StandaloneSvg() {}

    /** Returns the file of a plot that was drawn for a page. */
    public static String of(String svg) {
        int end = svg.indexOf('>') + 1;
        String open = svg.substring(0, end).replaceFirst("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ");
        return open + "\n" + STYLE + svg.substring(end).stripLeading();
    }
}
