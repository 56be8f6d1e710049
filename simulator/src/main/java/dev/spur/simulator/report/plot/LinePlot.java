package dev.spur.simulator.report.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.SeriesRenderingOrder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.data.Range;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** Plot of lines and dots over two axes. Values outside of an axis are drawn at its end. */
public final class LinePlot {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 300;
    private static final double LEFT = 64;
    private static final double BOTTOM = 40;
    private static final BasicStroke THIN = new BasicStroke(1);
    private static final BasicStroke CURVE = new BasicStroke(1.8f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);

    private LinePlot() {}

    /** Returns the plot as SVG. */
    public static String draw(String title, ValueAxis across, ValueAxis up, List<Series> series) {
        return draw(title, across, up, series, "");
    }

    /** Returns the plot as SVG, with small print below it. */
    public static String draw(String title, ValueAxis across, ValueAxis up, List<Series> series, String remark) {
        XYPlot plot = new XYPlot(data(series, across.getRange(), up.getRange()), across, up, renderer(series));
        plot.setSeriesRenderingOrder(SeriesRenderingOrder.FORWARD);
        grid(plot);
        JFreeChart chart = ChartSvg.chart(plot, true);
        if (!remark.isEmpty()) {
            TextTitle print = new TextTitle(remark, ChartSvg.FONT);
            print.setPaint(ChartSvg.INK);
            print.setPosition(RectangleEdge.BOTTOM);
            print.setHorizontalAlignment(HorizontalAlignment.LEFT);
            print.setTextAlignment(HorizontalAlignment.LEFT);
            chart.addSubtitle(print);
        }
        return ChartSvg.of(chart, title, WIDTH, HEIGHT);
    }

    /** Sets grid lines, and an area that does not depend on the width of labels. */
    static void grid(XYPlot plot) {
        plot.setDomainGridlinePaint(ChartSvg.RULE);
        plot.setDomainGridlineStroke(THIN);
        plot.setRangeGridlinePaint(ChartSvg.RULE);
        plot.setRangeGridlineStroke(THIN);
        AxisSpace space = new AxisSpace();
        space.setLeft(LEFT);
        space.setBottom(BOTTOM);
        plot.setFixedDomainAxisSpace(space);
        plot.setFixedRangeAxisSpace(space);
    }

    private static XYIntervalSeriesCollection data(List<Series> series, Range across, Range up) {
        XYIntervalSeriesCollection data = new XYIntervalSeriesCollection();
        for (int s = 0; s < series.size(); s++) {
            Series own = series.get(s);
            XYIntervalSeries points =
                    new XYIntervalSeries(own.name().isEmpty() ? "line " + s : own.name(), false, true);
            for (int i = 0; i < own.x().length; i++) {
                double x = across.constrain(own.x()[i]);
                double y = own.y()[i];
                double spread = own.spread().length == 0 ? 0 : own.spread()[i];
                points.add(x, x, x, up.constrain(y), up.constrain(y - spread), up.constrain(y + spread));
            }
            data.addSeries(points);
        }
        return data;
    }

    private static XYErrorRenderer renderer(List<Series> series) {
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setDrawXError(false);
        renderer.setDrawYError(series.stream().anyMatch(own -> own.spread().length > 0));
        renderer.setCapLength(0);
        renderer.setDrawSeriesLineAsPath(true);
        renderer.setDrawOutlines(false);
        renderer.setDefaultStroke(CURVE);
        renderer.setErrorStroke(THIN);
        int color = -1;
        for (int s = 0; s < series.size(); s++) {
            Series own = series.get(s);
            color += own.name().isEmpty() ? 0 : 1;
            Color paint = Color.decode(Palette.color(Math.max(0, color)));
            renderer.setSeriesPaint(s, paint);
            renderer.setSeriesStroke(s, CURVE);
            renderer.setSeriesShape(s, new Ellipse2D.Double(-2.5, -2.5, 5, 5));
            renderer.setSeriesShapesVisible(s, own.dots());
            renderer.setSeriesLinesVisible(s, !own.dots());
            renderer.setSeriesVisibleInLegend(s, !own.name().isEmpty());
        }
        return renderer;
    }
}
