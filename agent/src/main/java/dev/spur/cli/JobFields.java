package dev.spur.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Options by the property of a job that they set. */
final class JobFields {
    private static final Map<String, String> OPTIONS = options(
            "/name=--name",
            "/tenant=--tenant",
            "/owner=--owner",
            "/deadline=--deadline",
            "/labels=--label",
            "/waitForHardware=--wait-for-hardware",
            "/notBefore=--begin",
            "/dependsOn=--after",
            "/indices=--array",
            "/limit=--array",
            "/command/env=--env",
            "/command/roles=--role-command",
            "/command/workdir=--workdir",
            "/command/checkpointDir=--checkpoints",
            "/spec/work=--samples or --steps",
            "/spec/elasticity/minSlots=--gpus",
            "/spec/elasticity/maxSlots=--gpus",
            "/spec/elasticity/deviceShare=--gpu-share",
            "/spec/elasticity/acceleratorTypes=--type",
            "/spec/elasticity/pools=--pool",
            "/spec/elasticity/nodes=--require",
            "/spec/elasticity/topology=--within or --prefer-within",
            "/spec/elasticity/preferredNodes=--prefer",
            "/spec/batch/maxPerDevice=--device-batch",
            "/spec/batch/initial=--batch",
            "/spec/batch/min=--batch",
            "/spec/batch/max=--batch",
            "/spec/roles=--role",
            "/spec/timeLimit=--time",
            "/spec/family=--family",
            "/spec/group=--group",
            "/spec/priority=--priority",
            "/spec/preemptionPolicy=--preemption-policy");

    /** Beginning of a pointer into the job of a what-if analysis or of an array. */
    private static final Pattern IN_CHANGE = Pattern.compile("^(/changes/\\d+|/job(?=/))");

    private JobFields() {}

    /**
     * Returns the words for a field.
     *
     * @param pointer JSON pointer into the job, or into a what-if analysis that contains the job
     * @param isFromFile whether a file states the job; the words then begin with the property
     */
    static String name(String pointer, boolean isFromFile) {
        String field = IN_CHANGE.matcher(pointer).replaceFirst("");
        for (Map.Entry<String, String> entry : OPTIONS.entrySet()) {
            if (isWithin(field, entry.getKey())) {
                String option = entry.getValue();
                return isFromFile ? "%s (%s)".formatted(ProblemText.property(field), option) : option;
            }
        }
        return ProblemText.property(pointer);
    }

    private static boolean isWithin(String pointer, String property) {
        return pointer.equals(property) || pointer.startsWith(property + "/");
    }

    private static Map<String, String> options(String... pairs) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String pair : pairs) {
            String[] parts = pair.split("=", 2);
            options.put(parts[0], parts[1]);
        }
        return options;
    }
}
