package dev.spur.simulator.report.plot;

import java.awt.Color;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.annotations.XYBoxAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.data.xy.XYSeriesCollection;

/** Gantt chart: one row per job, one bar per interval in which it held slots. */
public final class Gantt {
    private static final int WIDTH = 760;
    private static final int MARGIN = 76;
    private static final int MAX_HEIGHT = 620;
    private static final int PITCH = 12;
    /** Shortest bar as a share of the axis. */
    private static final double SHORTEST = 0.0004;

    private static final Color WAIT = new Color(0x99, 0x99, 0x99, 0x44);

    /**
     * A bar.
     *
     * @param row row index, from 0
     * @param start beginning of the bar
     * @param end end of the bar
     * @param kind index of its kind, which determines the color; -1 for a wait
     * @param hint tooltip text
     */
    public record Bar(int row, double start, double end, int kind, String hint) {}

    private Gantt() {}

    /**
     * Returns the chart as SVG.
     *
     * @param kinds names of the kinds, by index
     */
    public static String draw(String title, ValueAxis across, int rows, List<String> kinds, List<Bar> bars) {
        XYPlot plot = new XYPlot(new XYSeriesCollection(), across, rows(rows), new XYBarRenderer());
        LinePlot.grid(plot);
        plot.setRangeGridlinesVisible(false);
        LegendItemCollection legend = new LegendItemCollection();
        for (int kind = 0; kind < kinds.size(); kind++) {
            legend.add(new LegendItem(kinds.get(kind), Color.decode(Palette.color(kind))));
        }
        plot.setFixedLegendItems(legend);
        double shortest = across.getRange().getLength() * SHORTEST;
        for (Bar bar : bars) {
            plot.addAnnotation(rectangle(bar, shortest), false);
        }
        JFreeChart chart = ChartSvg.chart(plot, true);
        return ChartSvg.of(chart, title, WIDTH, MARGIN + Math.min(MAX_HEIGHT, PITCH * Math.max(1, rows)));
    }

    private static NumberAxis rows(int rows) {
        NumberAxis axis = new NumberAxis();
        axis.setRange(0, Math.max(1, rows));
        axis.setInverted(true);
        axis.setVisible(false);
        return axis;
    }

    private static XYBoxAnnotation rectangle(Bar bar, double shortest) {
        boolean waits = bar.kind() < 0;
        XYBoxAnnotation box = new XYBoxAnnotation(
                bar.start(),
                bar.row() + (waits ? 0.6 : 0.9),
                Math.max(bar.end(), bar.start() + shortest),
                bar.row() + (waits ? 0.4 : 0),
                null,
                null,
                waits ? WAIT : Color.decode(Palette.color(bar.kind())));
        box.setToolTipText(bar.hint());
        return box;
    }
}
