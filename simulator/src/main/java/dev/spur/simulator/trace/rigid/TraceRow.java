package dev.spur.simulator.trace.rigid;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a file says of a job, which may be less than a job needs.
 *
 * @param id id in the file
 * @param tenant name of its tenant
 * @param submitted when it was submitted, seconds on any clock that the whole file shares
 * @param slots accelerators it held
 * @param seconds how long it held them
 * @param wish what else it asks for
 */
record TraceRow(
        String id,
        String tenant,
        OptionalDouble submitted,
        OptionalInt slots,
        OptionalDouble seconds,
        ResourceRequest wish) {
    TraceRow(String id, String tenant, OptionalDouble submitted, OptionalInt slots, OptionalDouble seconds) {
        this(id, tenant, submitted, slots, seconds, ResourceRequest.NOTHING);
    }
}
