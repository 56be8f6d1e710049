package dev.spur.simulator.trace.rigid;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Recorded job of a file, possibly with missing values.
 *
 * @param id id in the file
 * @param tenant name of its tenant
 * @param submitted submission time, seconds on any clock that the complete file shares
 * @param slots accelerators it held
 * @param seconds seconds for which it held them
 * @param request request in addition to the slots
 */
record TraceRow(
        String id,
        String tenant,
        OptionalDouble submitted,
        OptionalInt slots,
        OptionalDouble seconds,
        ResourceRequest request) {
    TraceRow(String id, String tenant, OptionalDouble submitted, OptionalInt slots, OptionalDouble seconds) {
        this(id, tenant, submitted, slots, seconds, ResourceRequest.NOTHING);
    }
}
