package dev.spur.simulator.trace.rigid;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Recorded job of a file, possibly with missing values.
 *
 * @param id id in the file
 * @param tenant name of its tenant
 * @param submitted submission time, seconds on any clock that the complete file shares
 * @param slots accelerators it held
 * @param seconds seconds for which it held them
 * @param request request in addition to the slots
 * @param limitSeconds maximum run time of each start; empty for none
 * @param preceding id of the job after whose end it starts; null for none
 */
record TraceRow(
        String id,
        String tenant,
        OptionalDouble submitted,
        OptionalInt slots,
        OptionalDouble seconds,
        ResourceRequest request,
        OptionalDouble limitSeconds,
        @Nullable String preceding) {
    TraceRow(
            String id,
            String tenant,
            OptionalDouble submitted,
            OptionalInt slots,
            OptionalDouble seconds,
            ResourceRequest request,
            OptionalDouble limitSeconds) {
        this(id, tenant, submitted, slots, seconds, request, limitSeconds, null);
    }

    TraceRow(String id, String tenant, OptionalDouble submitted, OptionalInt slots, OptionalDouble seconds) {
        this(id, tenant, submitted, slots, seconds, ResourceRequest.NOTHING);
    }

    TraceRow(
            String id,
            String tenant,
            OptionalDouble submitted,
            OptionalInt slots,
            OptionalDouble seconds,
            ResourceRequest request) {
        this(id, tenant, submitted, slots, seconds, request, OptionalDouble.empty());
    }
}
