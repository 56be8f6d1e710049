package dev.spur.service.recommend;

import java.util.function.DoubleUnaryOperator;

/** A predicted figure with the band that holds it in 80 % of cases. */
record Range(double low, double median, double high) {
    /** The band of a figure that is told by the chance with which it is kept. */
    static Range of(DoubleUnaryOperator figure) {
        return new Range(figure.applyAsDouble(0.1), figure.applyAsDouble(0.5), figure.applyAsDouble(0.9));
    }
}
