package dev.spur.cli;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Answer to a submission: state, slots, batch size, the next command and the page of the job.
 *
 * @param job job as submitted
 * @param page URL of its page in the dashboard
 * @param service URL of the service
 * @param isWithoutAgent whether neither an agent nor a connector starts the processes of jobs
 * @param isSimulated whether the nodes are those of the demo
 */
record SubmissionText(JsonNode job, String page, String service, boolean isWithoutAgent, boolean isSimulated) {
    /** Begin of the names of the nodes of the demo. */
    private static final String DEMO = "demo-";

    static SubmissionText of(ServiceOptions service, JsonNode job) throws InterruptedException {
        String page = "%s/#/job/%s".formatted(service.address(), job.path("id").asString());
        boolean isWithoutAgent = job.path("command").isObject()
                && isEmpty(service.ifAllowed("/api/v1/executors?state=ALIVE&limit=1"))
                && isEmpty(service.ifAllowed("/api/v1/connectors?limit=1"));
        boolean isSimulated = isWithoutAgent
                && service.ifAllowed("/api/v1/nodes?limit=1")
                        .map(nodes -> nodes.at("/items/0/id").asString("").startsWith(DEMO))
                        .orElse(false);
        return new SubmissionText(job, page, service.address(), isWithoutAgent, isSimulated);
    }

    /** A caller who may not read the list does not know, and gets no warning. */
    private static boolean isEmpty(Optional<JsonNode> list) {
        return list.isPresent() && list.get().path("items").isEmpty();
    }

    /** Returns the output of the command, which begins with {@code first}. */
    CommandOutput output(String first) {
        String id = job.path("id").asString();
        return CommandOutput.of(
                job,
                id,
                ServiceCommand.line(first)
                        + ServiceCommand.line("State: %s%s".formatted(JobsCommand.state(job), resources()))
                        + batchChange()
                        + ServiceCommand.line("Next: ./spur why %s".formatted(id))
                        + ServiceCommand.line("Page: " + page)
                        + (isWithoutAgent ? ServiceCommand.line(warning()) : ""));
    }

    private String resources() {
        JsonNode spec = job.path("spec");
        if (!spec.path("elasticity").isObject()) {
            return "";
        }
        JsonNode share = job.path("deviceShare");
        return ", %s of %s slots now%s; batch size %s"
                .formatted(
                        job.at("/allocation/configuration/slots").asInt(0),
                        JobFacts.range(spec.at("/elasticity/minSlots"), spec.at("/elasticity/maxSlots")),
                        share.isNumber() ? " (share %s)".formatted(ServiceCommand.text(share)) : "",
                        JobFacts.range(spec.at("/batch/min"), spec.at("/batch/max")));
    }

    /** Returns the line that announces changes of the batch size; empty if it is fixed. */
    private String batchChange() {
        JsonNode batch = job.at("/spec/batch");
        boolean isFixed = !batch.isObject()
                || batch.path("min").asLong() == batch.path("max").asLong();
        return isFixed
                ? ""
                : ServiceCommand.line(
                        "Spur may change the batch size within %s; the program must adapt its learning rate."
                                .formatted(JobFacts.range(batch.path("min"), batch.path("max"))));
    }

    private String warning() {
        if (isSimulated) {
            return "The demo simulates the job: no process starts, and it progresses at its planned speed.";
        }
        return "Warning: No agent is connected, so no process of the job starts. Start one on a node: ./spur agent --service "
                + service;
    }
}
