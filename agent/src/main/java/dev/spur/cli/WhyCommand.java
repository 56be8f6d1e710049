package dev.spur.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Command {@code spur why JOB}. */
@Command(
        name = "why",
        description = "Explain why a job is pending, why it runs in its configuration, or why it failed.",
        mixinStandardHelpOptions = true)
public final class WhyCommand extends ReadCommand {

    @Parameters(paramLabel = "JOB", description = "Job id, id prefix, or name.")
    private String job = "";

    @Option(
            names = "--unblock",
            description = "Also find the smallest change that would start it; requires one or more solver runs.")
    private boolean unblock;

    @Override
    CommandOutput execute(ServiceOptions service) throws InterruptedException {
        JsonNode why = service.get(
                "/api/v1/jobs/%s/explanation%s".formatted(service.job(job), unblock ? "?unblock=true" : ""));
        return CommandOutput.of(why, why.path("jobId").asString(), format(why));
    }

    private static String format(JsonNode why) {
        StringBuilder text = new StringBuilder();
        text.append(line("%s: %s"
                .formatted(why.path("state").asString(), why.path("message").asString())));
        JsonNode reason = why.path("waiting").path("reason");
        if (!reason.isMissingNode() && !reason.isNull()) {
            text.append(line("Reason: " + reason.asString()));
        }
        if (ServiceOptions.ACTIVE.contains(why.path("state").asString())) {
            addDependencies(text, why.path("dependencies"));
        }
        addMessage(text, "To start it: ", why.path("unblock"));
        addMessage(text, "", why.path("bid"));
        addMessage(text, "Start: ", why.path("eta").path("start"));
        addMessage(text, "Completion: ", why.path("eta").path("completion"));
        if (why.path("aggregation").isString()) {
            text.append(line(why.path("aggregation").asString()));
        }
        why.path("stalls").forEach(stall -> addMessage(text, "", stall));
        for (JsonNode warning : why.path("warnings")) {
            text.append(line("Warning: " + warning.path("message").asString()));
        }
        addFailure(text, why);
        return text.toString();
    }

    private static void addDependencies(StringBuilder text, JsonNode dependencies) {
        for (JsonNode dependency : dependencies) {
            if (!dependency.path("met").asBoolean()) {
                boolean isArray = dependency.has("arrayId");
                text.append(line("%sWaits until %s (%s, %s) %s"
                        .formatted(
                                "  ".repeat(dependency.path("depth").asInt() - 1),
                                text(dependency.path("name")),
                                text(dependency.path(isArray ? "arrayId" : "jobId")),
                                isArray
                                        ? text(dependency.path("remaining")) + " jobs left"
                                        : text(dependency.path("state")),
                                JobFacts.condition(dependency.path("when")))));
            }
        }
    }

    private static void addFailure(StringBuilder text, JsonNode why) {
        JsonNode failure = why.path("failure");
        if (!failure.isObject()) {
            return;
        }
        String message = failure.path("message").asString();
        String id = why.path("jobId").asString();
        text.append(line("Failure at %s, generation %s%s"
                .formatted(
                        text(failure.path("at")),
                        text(failure.path("generation")),
                        message.equals(why.path("message").asString()) ? "" : ": " + message)));
        if (failure.path("lines").isEmpty()) {
            text.append(line("Events: ./spur events " + id));
            return;
        }
        String rank = text(failure.path("rank"));
        text.append(line("Last lines of rank %s:".formatted(rank)));
        failure.path("lines").forEach(last -> text.append(line("  " + last.asString())));
        text.append(line("More: ./spur logs %s --generation %s --rank %s --lines 1000"
                .formatted(id, text(failure.path("generation")), rank)));
    }

    private static void addMessage(StringBuilder text, String before, JsonNode part) {
        if (part.path("message").isString()) {
            text.append(line(before + part.path("message").asString()));
        }
    }
}
