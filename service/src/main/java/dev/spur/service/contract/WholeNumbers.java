package dev.spur.service.contract;

import java.math.BigDecimal;
import tools.jackson.databind.node.BigIntegerNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NumericNode;

/**
 * Keeps whole numbers beyond 64 bits as whole numbers, however they are written. JSON Schema takes 1e308 for an
 * integer, and only a node that says so can be held against the limits of one.
 */
final class WholeNumbers extends JsonNodeFactory {
    private static final long serialVersionUID = 1;
    private static final double BEYOND = 0x1p63;

    /** A double this large has no fraction. */
    @Override
    public NumericNode numberNode(double value) {
        return Math.abs(value) >= BEYOND && Double.isFinite(value)
                ? BigIntegerNode.valueOf(new BigDecimal(value).toBigInteger())
                : super.numberNode(value);
    }
}
