package dev.spur.service.jobs.lifecycle;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Roles;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.lifecycle.FamilyBatchStore.FamilyBatch;
import dev.spur.service.security.AccessScope;
import dev.spur.service.security.Principal;
import dev.spur.service.web.contract.FieldError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Default values of a job that the schema cannot state: those that depend on the caller, the registered cluster, the
 * profile or earlier jobs. Submissions, what-if questions and recommendations use it, so that all of them see the same
 * job.
 */
@Component
public class SubmissionDefaults {
    private static final String DEFAULT_TENANT = "root";
    private static final int FAMILY_LENGTH = 128;
    private static final int MAX_SLOTS = 100_000;
    /** A day at one step per second, the assumed speed of an unknown model. */
    private static final double UNKNOWN_STEPS = 86_400;

    private final ClusterInventoryCache hardware;
    private final FamilyBatchStore batches;

    SubmissionDefaults(ClusterInventoryCache hardware, FamilyBatchStore batches) {
        this.hardware = hardware;
        this.batches = batches;
    }

    /**
     * Fills owner and tenant into a submission, in place.
     *
     * @param job body of the request, with the defaults of its schema
     * @return an error if the tenant is missing and has no default; a placeholder stands there
     */
    List<FieldError> completeCaller(Principal caller, ObjectNode job) {
        List<FieldError> errors = new ArrayList<>();
        if (!job.has("owner")) {
            job.put("owner", caller.name());
        }
        completeTenant(caller.reach(), job, "", errors);
        return errors;
    }

    /**
     * Fills the other defaults into a submission, in place.
     *
     * @param job a submission with a tenant
     * @return an error for each value that is missing and has no default; a placeholder stands there
     */
    List<FieldError> completeSubmission(ObjectNode job) {
        List<FieldError> errors = new ArrayList<>();
        if (job.path("kind").asString().equals(JobKind.TRAINING.name())) {
            completeSpec(job, "name", "", errors);
        }
        return errors;
    }

    /**
     * Completes the job of a what-if change in place.
     *
     * @param change an {@code ADD_JOB} change, with the defaults of its schema
     * @param pointer JSON pointer of the change in the body
     * @return an error for each value that is missing and has no default; a placeholder stands there
     */
    public List<FieldError> completeChange(AccessScope reach, ObjectNode change, String pointer) {
        List<FieldError> errors = new ArrayList<>();
        completeTenant(reach, change, pointer, errors);
        completeSpec(change, "job", pointer, errors);
        return errors;
    }

    /**
     * Completes the specification of a recommendation request in place.
     *
     * @param maxSlots default of the maximum; 0 for the largest gang of the registered cluster
     * @return an error for each missing value without a default; a placeholder stands there
     */
    public List<FieldError> completeQuestion(AccessScope reach, ObjectNode spec, int maxSlots) {
        List<FieldError> errors = new ArrayList<>();
        String tenant = defaultTenant(reach);
        completeSpec(spec, tenant, null, "/spec", maxSlots == 0 ? null : () -> maxSlots, errors);
        return errors;
    }

    private void completeTenant(AccessScope reach, ObjectNode job, String pointer, List<FieldError> errors) {
        if (job.has("tenant")) {
            return;
        }
        String tenant = defaultTenant(reach);
        job.put("tenant", tenant);
        if (!reach.covers(tenant)) {
            errors.add(FieldError.at(
                    pointer + "/tenant",
                    "is required: the caller may submit for several tenants, " + String.join(", ", roots(reach))));
        }
    }

    private void completeSpec(ObjectNode job, String name, String pointer, List<FieldError> errors) {
        completeSpec(
                (ObjectNode) job.path("spec"),
                job.path("tenant").asString(),
                job.path(name).asString(),
                pointer + "/spec",
                null,
                errors);
    }

    private void completeSpec(
            ObjectNode spec,
            String tenant,
            @Nullable String name,
            String pointer,
            @Nullable Supplier<Integer> largestGang,
            List<FieldError> errors) {
        List<JsonNode> points =
                spec.path("profile").path("points").valueStream().toList();
        if (points.isEmpty() && isAbsent(spec, "family")) {
            String family = name == null ? "" : familyOf(name);
            if (family.isEmpty()) {
                errors.add(FieldError.at(
                        pointer + "/family",
                        name == null
                                ? "is required, because the profile has no points"
                                : "is required, because the profile has no points and the name (%s) has no letter or digit"
                                        .formatted(name)));
                family = "unknown";
            }
            spec.put("family", family);
        }
        completeBatch(spec, points, tenant, pointer, name != null, errors);
        completeWork(spec, tenant);
        completeSlots(spec, points, tenant, largestGang);
        completeLargestBatch(
                (ObjectNode) spec.path("batch"), spec.at("/elasticity/maxSlots").intValue());
    }

    /** The default tenant of a job. */
    private String defaultTenant(AccessScope reach) {
        List<String> roots = roots(reach);
        return roots.size() == 1 ? roots.get(0) : DEFAULT_TENANT;
    }

    /** Top-level tenants of the caller's scope; empty for a caller with access to all tenants. */
    private List<String> roots(AccessScope reach) {
        Set<String> tenants = reach.tenants();
        if (tenants == null) {
            return List.of();
        }
        ClusterInventory known = hardware.last().hardware();
        return tenants.stream()
                .filter(tenant -> {
                    String parent = known.parent(tenant);
                    return parent == null || !tenants.contains(parent);
                })
                .sorted()
                .toList();
    }

    /** Converts a name to a valid family: each run of other characters becomes one dash. */
    static String familyOf(String name) {
        String family = name.replaceAll("[^A-Za-z0-9._:+@-]+", "-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
        return family.substring(0, Math.min(FAMILY_LENGTH, family.length()));
    }

    /** @param runs true for a job; false for a question about the numbers of slots, which requires a batch size */
    private void completeBatch(
            ObjectNode spec,
            List<JsonNode> points,
            String tenant,
            String pointer,
            boolean runs,
            List<FieldError> errors) {
        ObjectNode batch = (ObjectNode) spec.path("batch");
        Integer share = points.stream()
                .map(SubmissionDefaults::share)
                .max(Comparator.naturalOrder())
                .orElse(null);
        if (isAbsent(batch, "initial")) {
            if (!isAbsent(batch, "min")) {
                batch.put("initial", batch.path("min").intValue());
            } else if (!points.isEmpty()) {
                batch.put("initial", withMinSlots(points));
            } else {
                String family = spec.path("family").asString("");
                Optional<FamilyBatch> earlier = batches.newest(tenant, family);
                if (earlier.isEmpty() && runs && mayBeRigid(spec)) {
                    completeRigid(spec);
                    return;
                }
                if (earlier.isEmpty()) {
                    errors.add(FieldError.at(
                            pointer + "/batch/initial",
                            "is required for %s: the profile has no points, and tenant %s has no earlier job of family %s"
                                    .formatted(
                                            runs ? "a job with a range of slots" : "a recommendation",
                                            tenant,
                                            family)));
                }
                batch.put("initial", earlier.map(FamilyBatch::initial).orElse(1));
                share = earlier.map(FamilyBatch::maxPerDevice).orElse(null);
            }
        }
        int initial = batch.path("initial").intValue();
        putIfAbsent(batch, "min", initial);
        putIfAbsent(batch, "maxPerDevice", share == null ? initial : share);
    }

    /** True if the job states no batch size at all, and its minimum of slots or nothing about their number. */
    private static boolean mayBeRigid(JsonNode spec) {
        JsonNode elasticity = spec.path("elasticity");
        JsonNode batch = spec.path("batch");
        boolean isFixed = isAbsent(elasticity, "maxSlots")
                || elasticity.path("maxSlots").intValue()
                        == elasticity.path("minSlots").intValue();
        return isFixed
                && elasticity.path("allowedCounts").isEmpty()
                && !elasticity.path("powersOfTwo").asBoolean(false)
                && isAbsent(batch, "max")
                && isAbsent(batch, "maxPerDevice")
                && batch.path("maxPerDeviceByType").isEmpty();
    }

    /** Makes the job run on its minimum of slots only, with one sample per slot and step. */
    private static void completeRigid(ObjectNode spec) {
        ObjectNode elasticity = (ObjectNode) spec.path("elasticity");
        int slots = elasticity.path("minSlots").intValue();
        elasticity.put("maxSlots", slots);
        ObjectNode batch = (ObjectNode) spec.path("batch");
        batch.put("initial", slots).put("min", slots).put("max", slots).put("maxPerDevice", 1);
    }

    /** Fills in the largest batch that the devices hold in one pass on the largest number of slots. */
    private static void completeLargestBatch(ObjectNode batch, int maxSlots) {
        int perDevice = batch.path("maxPerDeviceByType")
                .valueStream()
                .mapToInt(JsonNode::intValue)
                .reduce(batch.path("maxPerDevice").intValue(), Math::max);
        putIfAbsent(batch, "max", BatchLimits.defaultMax(batch.path("initial").intValue(), perDevice, maxSlots));
    }

    /** Estimates the work of a job that states none: a job of unknown length, which its processes end. */
    private void completeWork(ObjectNode spec, String tenant) {
        if (!isAbsent(spec, "work")) {
            return;
        }
        Optional<Double> earlier =
                batches.newestWork(tenant, spec.path("family").asString(""));
        spec.putObject("work")
                .put("unit", (earlier.isPresent() ? WorkUnit.SAMPLES : WorkUnit.STEPS).name())
                .put("amount", earlier.orElse(UNKNOWN_STEPS))
                .put("estimated", true);
    }

    /** Samples per device and step at a profile point. */
    private static int share(JsonNode point) {
        int slots = point.path("slots").intValue();
        return (point.path("batchSize").intValue() + slots - 1) / slots;
    }

    private static int withMinSlots(List<JsonNode> points) {
        return points.stream()
                .min(Comparator.<JsonNode>comparingInt(
                                point -> point.path("slots").intValue())
                        .thenComparingInt(point -> point.path("batchSize").intValue()))
                .orElseThrow()
                .path("batchSize")
                .intValue();
    }

    private void completeSlots(
            ObjectNode spec, List<JsonNode> points, String tenant, @Nullable Supplier<Integer> largestGang) {
        ObjectNode elasticity = (ObjectNode) spec.path("elasticity");
        if (!isAbsent(elasticity, "maxSlots")) {
            return;
        }
        int min = elasticity.path("minSlots").intValue();
        if (!isAbsent(elasticity, "deviceShare")) {
            elasticity.put("maxSlots", min);
            return;
        }
        int largest = largestGang == null ? largestGangIfValid(spec, points, tenant) : largestGang.get();
        if (largest == 0) {
            largest = points.stream()
                    .mapToInt(point -> point.path("slots").intValue())
                    .max()
                    .orElse(1);
        }
        JsonNode batch = spec.path("batch");
        if (!isAbsent(batch, "max")) {
            largest = Math.min(largest, batch.path("max").intValue());
        }
        elasticity.put("maxSlots", Math.min(MAX_SLOTS, Math.max(min, largest)));
    }

    /** The largest gang; 0 for values that contradict each other, which the later binding rejects. */
    private int largestGangIfValid(ObjectNode spec, List<JsonNode> points, String tenant) {
        try {
            return largestGang(spec, points, tenant);
        } catch (DatabindException invalid) {
            return 0;
        }
    }

    /** Maximum slots of one type in one pool that the job could hold if the cluster were idle; 0 if there are none. */
    private int largestGang(ObjectNode spec, List<JsonNode> points, String tenant) {
        JsonNode elasticity = spec.path("elasticity");
        Set<String> types = texts(elasticity.path("acceleratorTypes"));
        Set<String> pools = texts(elasticity.path("pools"));
        Set<String> known = points.stream()
                .map(point -> point.path("acceleratorType").asString())
                .collect(Collectors.toSet());
        spec.path("profile")
                .path("ratios")
                .forEach(ratio -> known.add(ratio.path("acceleratorType").asString()));
        List<HostLevel> levels = hostLevels(spec);
        Roles roles =
                isAbsent(spec, "roles") ? Roles.NONE : RoundJson.mapper().treeToValue(spec.path("roles"), Roles.class);
        Elasticity onAllowedNodes = RoundJson.mapper()
                .treeToValue(((ObjectNode) elasticity.deepCopy()).put("maxSlots", MAX_SLOTS), Elasticity.class);
        boolean predicted = !isAbsent(spec, "family");
        ClusterInventory now = hardware.now().hardware();
        int cap = now.groupCap(spec.path("group").asString(null));
        int largest = 0;
        for (ClusterInventory.Place place : now.places()) {
            boolean allowed = (types.isEmpty() || types.contains(place.type()))
                    && (pools.isEmpty() || pools.contains(place.pool()))
                    && (predicted || known.contains(place.type()));
            if (allowed) {
                int max = Math.min(now.maxSlots(place, onAllowedNodes, levels, roles), now.quota(tenant, place.type()));
                largest = Math.max(largest, Math.min(max, cap));
            }
        }
        return largest;
    }

    private static List<HostLevel> hostLevels(ObjectNode spec) {
        if (!isAbsent(spec, "hostSensitivity")) {
            return RoundJson.mapper()
                    .treeToValue(spec.path("hostSensitivity"), HostSensitivity.class)
                    .levels();
        }
        HostDemand host = RoundJson.mapper().treeToValue(spec.path("host"), HostDemand.class);
        return List.of(new HostLevel(host.cpusPerSlot(), host.memoryGiBPerSlot(), 1));
    }

    private static Set<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).collect(Collectors.toSet());
    }

    private static boolean isAbsent(JsonNode object, String name) {
        return !object.hasNonNull(name);
    }

    private static void putIfAbsent(ObjectNode object, String name, int value) {
        if (isAbsent(object, name)) {
            object.put(name, value);
        }
    }
}
