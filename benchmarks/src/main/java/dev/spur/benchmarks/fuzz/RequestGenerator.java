package dev.spur.benchmarks.fuzz;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/** Generates requests. A third is valid according to the examples, a third has one fault, a third has several. */
final class RequestGenerator {
    /** Relative frequencies of operations that each take seconds of work. */
    private static final Map<String, Double> SHARE = Map.of(
            "POST /api/v1/simulations", 0.1,
            "POST /api/v1/solve", 0.3,
            "POST /api/v1/what-if", 0.3,
            "POST /api/v1/recommendations", 0.3,
            "GET /api/v1/support-bundle", 0.2);

    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "X");
    private static final int MAX_FAULTS = 5;

    private final List<Route> routes;
    private final IdPool known;
    private final Random random;

    RequestGenerator(List<Route> routes, IdPool known, long seed) {
        this.routes = List.copyOf(routes);
        this.known = known;
        this.random = new Random(seed);
    }

    /** Returns the next request. */
    FuzzRequest next() {
        Route route = routes.get(random.nextInt(routes.size()));
        while (random.nextDouble() >= SHARE.getOrDefault(route.name(), 1.0)) {
            route = routes.get(random.nextInt(routes.size()));
        }
        int kind = random.nextInt(3);
        int faults = kind == 2 ? 2 + random.nextInt(MAX_FAULTS - 1) : kind;
        return new Draft(route, faults).request();
    }

    private boolean chance(double share) {
        return random.nextDouble() < share;
    }

    /** A request under construction. */
    private final class Draft {
        private final Route route;
        private final List<String> headers = new ArrayList<>();
        private String method;
        private int faultsInBody;
        private int faultsInPath;
        private int faultsInQuery;
        private boolean hostileBody;
        private boolean strangeMedia;

        Draft(Route route, int faults) {
            this.route = route;
            this.method = route.method();
            for (int fault = 0; fault < faults; fault++) {
                corrupt(random.nextInt(12));
            }
        }

        private void corrupt(int what) {
            switch (what) {
                case 0 -> method = METHODS.get(random.nextInt(METHODS.size()));
                case 1, 2 -> faultsInPath++;
                case 3, 4 -> faultsInQuery++;
                case 5, 6 -> headers.add(HostileValues.header(random));
                case 7 -> hostileBody = true;
                case 8 -> strangeMedia = true;
                default -> faultsInBody++;
            }
        }

        FuzzRequest request() {
            String target = path() + query();
            byte[] body = body();
            conditions();
            return new FuzzRequest(route.name(), method, target, headers, body);
        }

        private String path() {
            String[] segments = route.path().split("/", -1);
            for (int s = 0; s < segments.length; s++) {
                if (segments[s].startsWith("{")) {
                    segments[s] = variable(segments[s].substring(1, segments[s].length() - 1));
                }
            }
            for (int fault = 0; fault < faultsInPath; fault++) {
                int at = chance(0.8) ? segments.length - 1 : random.nextInt(segments.length);
                int variable = route.path().indexOf('{') < 0 ? at : variableSegment();
                segments[chance(0.8) ? variable : at] = HostileValues.segment(random);
            }
            String path = String.join("/", segments);
            return path.startsWith("/") ? path : "/" + path;
        }

        private int variableSegment() {
            String[] template = route.path().split("/", -1);
            List<Integer> at = new ArrayList<>();
            for (int s = 0; s < template.length; s++) {
                if (template[s].startsWith("{")) {
                    at.add(s);
                }
            }
            return at.get(random.nextInt(at.size()));
        }

        private String variable(String name) {
            JsonNode parameter = route.parameters("path").stream()
                    .filter(each -> each.path("name").asString().equals(name))
                    .findFirst()
                    .orElseThrow();
            String example = parameter.path("example").asString("1");
            String value = chance(0.7) ? known.id(route.collection(), random).orElse(example) : example;
            return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
        }

        private String query() {
            List<String> parts = new ArrayList<>();
            for (JsonNode parameter : route.parameters("query")) {
                if (parameter.path("required").asBoolean(false) || chance(0.4)) {
                    parts.add(parameter.path("name").asString() + "=" + value(parameter));
                }
            }
            for (int fault = 0; fault < faultsInQuery; fault++) {
                List<JsonNode> declared = route.parameters("query");
                String name = declared.isEmpty() || chance(0.2)
                        ? HostileValues.parameter(random)
                        : declared.get(random.nextInt(declared.size()))
                                .path("name")
                                .asString();
                parts.add(name + "=" + HostileValues.parameter(random));
            }
            return parts.isEmpty() ? "" : "?" + String.join("&", parts);
        }

        /** Returns a valid value. Wait parameters are short, because waiting tests nothing. */
        private String value(JsonNode parameter) {
            JsonNode schema = parameter.path("schema");
            if (parameter.path("name").asString().equals("wait")) {
                return chance(0.9) ? "0" : "1";
            }
            JsonNode values = schema.has("enum") ? schema.path("enum") : schema.path("examples");
            JsonNode value = values.isEmpty() ? parameter.path("example") : values.path(random.nextInt(values.size()));
            while (value.isArray() && !value.isEmpty()) {
                value = value.path(random.nextInt(value.size()));
            }
            return !value.isValueNode()
                    ? Integer.toString(random.nextInt(5))
                    : URLEncoder.encode(value.asString(), StandardCharsets.UTF_8);
        }

        private void conditions() {
            if (route.parameters("header").stream()
                            .anyMatch(header -> header.path("name").asString().equals("Idempotency-Key"))
                    && chance(0.5)) {
                headers.add("Idempotency-Key: key-" + random.nextInt(20));
            }
            boolean changes = !route.method().equals("GET") && !route.method().equals("POST");
            if (changes && chance(0.9)) {
                headers.add(
                        chance(0.5)
                                ? "If-Match: *"
                                : chance(0.5)
                                        ? "If-None-Match: *"
                                        : "If-Match: " + known.tag(random).orElse("\"1\""));
            } else if (chance(0.2)) {
                headers.add("If-None-Match: " + known.tag(random).orElse("\"1\""));
            }
        }

        private byte[] body() {
            if (route.bodies().isEmpty()) {
                return hostileBody ? bytes(HostileValues.body(random)) : new byte[0];
            }
            List<String> types = List.copyOf(route.bodies().keySet());
            String type = types.get(random.nextInt(types.size()));
            if (!strangeMedia) {
                headers.add("Content-Type: " + type);
            }
            if (hostileBody) {
                return bytes(HostileValues.body(random));
            }
            List<JsonNode> examples = route.bodies().getOrDefault(type, List.of());
            JsonNode example = examples.get(random.nextInt(examples.size()));
            return new BodyGenerator(random).corrupted(example, faultsInBody).getBytes(StandardCharsets.UTF_8);
        }

        private static byte[] bytes(String octets) {
            return octets.getBytes(StandardCharsets.ISO_8859_1);
        }
    }
}
