package dev.spur.simulator.report.plot;

import java.awt.Color;
import java.awt.Font;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.entity.ChartEntity;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * SVG of a chart. It takes its colors from the custom properties {@code --soft}, {@code --rule} and {@code --ground} of
 * the page that contains it; as a file of its own it is gray on white.
 */
final class ChartSvg {
    static {
        // Fonts are measured without a display.
        System.setProperty("java.awt.headless", "true");
        // Rotated text is text, not its outline.
        TextUtils.setUseDrawRotatedStringWorkaround(false);
    }

    /** Text, lines and background; the custom properties replace these colors in the SVG. */
    static final Color INK = new Color(1, 1, 1);

    static final Color RULE = new Color(2, 2, 2);
    static final Color GROUND = new Color(3, 3, 3);

    static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 11);

    private static final String NAMESPACE = "http://www.w3.org/2000/svg";

    private ChartSvg() {}

    /** Returns a chart without title; with a legend above the plot, if {@code legend}. */
    static JFreeChart chart(Plot plot, boolean legend) {
        plot.setBackgroundPaint(null);
        plot.setOutlineVisible(false);
        JFreeChart chart = new JFreeChart(null, FONT, plot, false);
        chart.setBackgroundPaint(GROUND);
        chart.setPadding(new RectangleInsets(4, 4, 4, 12));
        if (legend) {
            LegendTitle title = new LegendTitle(plot);
            title.setPosition(RectangleEdge.TOP);
            title.setHorizontalAlignment(HorizontalAlignment.LEFT);
            title.setItemFont(FONT);
            title.setItemPaint(INK);
            title.setItemLabelPadding(new RectangleInsets(2, 4, 2, 12));
            title.setMargin(0, 54, 0, 0);
            chart.addLegend(title);
        }
        return chart;
    }

    /**
     * Returns the SVG element.
     *
     * @param title accessible name; differs between the charts of a page
     */
    static String of(JFreeChart chart, String title, int width, int height) {
        SVGGraphics2D canvas = new SVGGraphics2D(context(title), false);
        ChartRenderingInfo info = new ChartRenderingInfo();
        chart.draw(canvas, new Rectangle(width, height), info);
        Element root = canvas.getRoot();
        root.setAttribute("viewBox", "0 0 %d %d".formatted(width, height));
        root.setAttribute("role", "img");
        root.setAttribute("aria-label", title);
        for (Object entity : info.getEntityCollection().getEntities()) {
            addHint(root, (ChartEntity) entity);
        }
        StringWriter svg = new StringWriter();
        try {
            canvas.stream(root, svg, true, false);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
        return svg.toString()
                .substring(svg.toString().indexOf("<svg"))
                .replaceAll("\\s*\n\\s*(/?>)", "$1")
                .replace("rgb(1,1,1)", "var(--soft,#444)")
                .replace("rgb(2,2,2)", "var(--rule,#ddd)")
                .replace("rgb(3,3,3)", "var(--ground,#fff)");
    }

    private static SVGGeneratorContext context(String title) {
        Document document;
        try {
            document = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(NAMESPACE, "svg", null);
        } catch (ParserConfigurationException exception) {
            throw new IllegalStateException(exception);
        }
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setComment(null);
        context.setPrecision(1);
        String prefix = "c" + Integer.toHexString(title.hashCode());
        context.setIDGenerator(new SVGIDGenerator() {
            @Override
            public String generateID(String kind) {
                return prefix + super.generateID(kind);
            }
        });
        return context;
    }

    /** Adds the tooltip of {@code entity}, if it has one, to its bounds. */
    private static void addHint(Element root, ChartEntity entity) {
        String hint = entity.getToolTipText();
        if (hint == null) {
            return;
        }
        Document document = root.getOwnerDocument();
        Element area = document.createElementNS(NAMESPACE, "rect");
        Rectangle bounds = entity.getArea().getBounds();
        area.setAttribute("x", Integer.toString(bounds.x));
        area.setAttribute("y", Integer.toString(bounds.y));
        area.setAttribute("width", Integer.toString(Math.max(1, bounds.width)));
        area.setAttribute("height", Integer.toString(bounds.height));
        area.setAttribute("fill-opacity", "0");
        area.setAttribute("stroke", "none");
        Element text = document.createElementNS(NAMESPACE, "title");
        text.setTextContent(hint);
        area.appendChild(text);
        root.appendChild(area);
    }
}
