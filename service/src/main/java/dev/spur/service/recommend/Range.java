package dev.spur.service.recommend;

import java.util.function.DoubleUnaryOperator;

/** Prediction interval of a quantity, with a coverage of 80 %. */
record Range(double low, double median, double high) {
    /** Returns the interval of a quantity that is given by its quantile function. */
    static Range of(DoubleUnaryOperator figure) {
        return new Range(figure.applyAsDouble(0.1), figure.applyAsDouble(0.5), figure.applyAsDouble(0.9));
    }
}
