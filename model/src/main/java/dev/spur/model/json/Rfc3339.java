package dev.spur.model.json;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.PreparationAllocation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;

/**
 * Serializers of times in API resources: RFC 3339 text instead of seconds since 1970-01-01T00:00:00Z, which snapshots
 * contain. Times are rounded to microseconds, the resolution of the database.
 */
public final class Rfc3339 {
    private static final double MICROS = 1e6;
    private static final double NANOS = 1e9;

    private Rfc3339() {}

    private static Instant instant(double seconds) {
        return Instant.EPOCH.plus(Math.round(seconds * MICROS), ChronoUnit.MICROS);
    }

    private static double seconds(Instant instant) {
        return instant.getEpochSecond() + instant.getNano() / NANOS;
    }

    /** Writes seconds as a time. */
    public static final class TimeSerializer extends ValueSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializationContext context) {
            json.writePOJO(instant(value));
        }
    }

    /** Reads a time as seconds. */
    public static final class TimeDeserializer extends ValueDeserializer<Double> {
        @Override
        public Double deserialize(JsonParser json, DeserializationContext context) {
            return seconds(json.readValueAs(Instant.class));
        }
    }

    /** Writes an allocation whose {@code since} is a time. */
    public static final class AllocationSerializer extends ValueSerializer<Allocation> {
        @Override
        public void serialize(Allocation value, JsonGenerator json, SerializationContext context) {
            json.writePOJO(new AllocationResource(
                    value.configuration(), value.placement(), value.aggregation(), instant(value.since())));
        }
    }

    /** Reads an allocation whose {@code since} is a time. */
    public static final class AllocationDeserializer extends ValueDeserializer<Allocation> {
        @Override
        public Allocation deserialize(JsonParser json, DeserializationContext context) {
            AllocationResource read = json.readValueAs(AllocationResource.class);
            return new Allocation(read.configuration, read.placement, read.aggregation, seconds(read.since));
        }
    }

    /** Writes the allocation of a data-preparation job whose {@code since} is a time. */
    public static final class GrantSerializer extends ValueSerializer<PreparationAllocation> {
        @Override
        public void serialize(PreparationAllocation value, JsonGenerator json, SerializationContext context) {
            json.writePOJO(new GrantResource(
                    value.node(), value.cpus(), value.localGiB(), value.loans(), instant(value.since())));
        }
    }

    /** Reads the allocation of a data-preparation job whose {@code since} is a time. */
    public static final class GrantDeserializer extends ValueDeserializer<PreparationAllocation> {
        @Override
        public PreparationAllocation deserialize(JsonParser json, DeserializationContext context) {
            GrantResource read = json.readValueAs(GrantResource.class);
            return new PreparationAllocation(read.node, read.cpus, read.localGiB, read.loans, seconds(read.since));
        }
    }

    private record AllocationResource(
            Configuration configuration,
            List<NodeShare> placement,
            List<AggregationShare> aggregation,
            Instant since) {}

    private record GrantResource(String node, double cpus, int localGiB, List<Loan> loans, Instant since) {}
}
