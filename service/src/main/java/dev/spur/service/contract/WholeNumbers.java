package dev.spur.service.contract;

import java.math.BigDecimal;
import tools.jackson.databind.node.BigIntegerNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NumericNode;

/**
 * Parses integers beyond 64 bits as integers in any notation. JSON Schema treats 1e308 as an integer, and only an
 * integer node is compared with the limits of an integer.
 */
final class WholeNumbers extends JsonNodeFactory {
    private static final long serialVersionUID = 1;
    private static final double BEYOND = 0x1p63;

    /** A double of this magnitude has no fraction. */
    @Override
    public NumericNode numberNode(double value) {
        return Math.abs(value) >= BEYOND && Double.isFinite(value)
                ? BigIntegerNode.valueOf(new BigDecimal(value).toBigInteger())
                : super.numberNode(value);
    }
}
