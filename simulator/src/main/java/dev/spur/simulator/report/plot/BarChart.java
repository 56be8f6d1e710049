package dev.spur.simulator.report.plot;

import java.awt.Color;
import java.awt.Font;
import java.awt.Paint;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;

/** Bar chart with one bar per name. */
public final class BarChart {
    private static final int WIDTH = 370;
    private static final int ROW = 22;
    private static final int HEAD = 34;
    /** Approximate width of a letter of a name, and widths of a label and of the longest bar. */
    private static final double LETTER = 7;

    private static final double LABEL = 70;
    private static final double MIN_BARS = 20;
    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.PLAIN, 13);

    private BarChart() {}

    /**
     * Returns the chart as SVG.
     *
     * @param values at least 0, one for each name
     * @param labels text at the end of each bar
     */
    public static String draw(String title, List<String> names, double[] values, List<String> labels) {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        for (int i = 0; i < names.size(); i++) {
            data.addValue(values[i], title, names.get(i));
        }
        int letters = names.stream().mapToInt(String::length).max().orElse(0);
        CategoryPlot plot = new CategoryPlot(data, names(), lengths(letters), renderer(labels));
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeGridlinesVisible(false);
        JFreeChart chart = ChartSvg.chart(plot, false);
        TextTitle head = new TextTitle(title, TITLE);
        head.setPaint(ChartSvg.INK);
        head.setHorizontalAlignment(HorizontalAlignment.LEFT);
        chart.setTitle(head);
        return ChartSvg.of(chart, title, WIDTH, HEAD + ROW * names.size());
    }

    private static CategoryAxis names() {
        CategoryAxis axis = new CategoryAxis();
        axis.setAxisLineVisible(false);
        axis.setTickMarksVisible(false);
        axis.setTickLabelFont(ChartSvg.FONT);
        axis.setTickLabelPaint(ChartSvg.INK);
        axis.setMaximumCategoryLabelWidthRatio(1);
        axis.setCategoryMargin(0.35);
        axis.setLowerMargin(0);
        axis.setUpperMargin(0);
        return axis;
    }

    /** Returns the axis of the bars, with room for the labels at their ends. */
    private static NumberAxis lengths(int letters) {
        NumberAxis axis = new NumberAxis();
        axis.setVisible(false);
        double bars = Math.max(MIN_BARS, WIDTH - LETTER * letters - LABEL);
        axis.setUpperMargin(LABEL / bars);
        return axis;
    }

    private static BarRenderer renderer(List<String> labels) {
        BarRenderer renderer = new BarRenderer() {
            private static final long serialVersionUID = 1;

            @Override
            public Paint getItemPaint(int row, int column) {
                return Color.decode(Palette.color(column));
            }
        };
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator() {
            private static final long serialVersionUID = 1;

            @Override
            public String generateLabel(CategoryDataset data, int row, int column) {
                return labels.get(column);
            }
        });
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultPositiveItemLabelPosition(
                new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        renderer.setDefaultItemLabelFont(ChartSvg.FONT);
        renderer.setDefaultItemLabelPaint(ChartSvg.INK);
        return renderer;
    }
}
