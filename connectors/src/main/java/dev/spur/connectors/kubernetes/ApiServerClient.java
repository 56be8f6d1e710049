package dev.spur.connectors.kubernetes;

import dev.spur.connectors.http.BoundedHttp;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The calls to the API server. Objects travel as they are, so that members which Spur knows nothing of stay. Every
 * write carries the version of what was read: who was faster wins.
 */
final class ApiServerClient {
    private static final ObjectMapper MAPPER = JsonMapper.shared();
    private static final int PAGE = 500;
    /** More than any cluster has: a list that does not end is an error of the API server. */
    private static final int MOST_OBJECTS = 200_000;

    private static final int FORBIDDEN = 403;
    /** Answers to a change that would be the same the next time. */
    private static final Set<Integer> NO = Set.of(400, 403, 405, 422);

    private final KubernetesClient client;

    ApiServerClient(KubernetesClient client) {
        this.client = client;
    }

    /**
     * All objects of a collection; none if the cluster does not know it.
     *
     * @throws IOException if there is no answer, or none to the point
     */
    List<ObjectNode> list(String collection) throws IOException, InterruptedException {
        List<ObjectNode> all = new ArrayList<>();
        String next = "";
        do {
            String query = "?limit=%d%s".formatted(PAGE, next.isEmpty() ? "" : "&continue=" + encoded(next));
            String said = said("GET", collection + query, null);
            if (said == null) {
                return List.of();
            }
            JsonNode page = parsed(said);
            page.path("items").forEach(item -> all.add((ObjectNode) item));
            if (all.size() > MOST_OBJECTS) {
                throw new IOException("%s has more than %d objects".formatted(collection, MOST_OBJECTS));
            }
            next = page.at("/metadata/continue").asString("");
        } while (!next.isEmpty());
        return all;
    }

    /** The same; none if Spur may not see them. */
    List<ObjectNode> listIfAllowed(String collection) throws IOException, InterruptedException {
        try {
            return list(collection);
        } catch (ApiResponse no) {
            if (no.code == FORBIDDEN) {
                return List.of();
            }
            throw no;
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** An object; empty if it is not there. */
    Optional<ObjectNode> get(String path) throws IOException, InterruptedException {
        String said = said("GET", path, null);
        return said == null ? Optional.empty() : Optional.of((ObjectNode) parsed(said));
    }

    /**
     * Puts an object in the place of the one whose version it carries.
     *
     * @throws Refusal if the cluster says no
     * @throws IOException if it does not answer, or somebody was faster
     */
    void put(String path, ObjectNode object) throws IOException, InterruptedException, KubernetesRejection {
        change("PUT", path, object.toString());
    }

    /**
     * Makes an object.
     *
     * @throws Refusal if the cluster says no
     * @throws IOException if it does not answer, or there is one of that name
     */
    void create(String collection, ObjectNode object) throws IOException, InterruptedException, KubernetesRejection {
        change("POST", collection, object.toString());
    }

    /** Deletes an object, if it is still that one. What belongs to it goes afterwards. */
    void delete(String path, String uid) throws IOException, InterruptedException, KubernetesRejection {
        change(
                "DELETE",
                path,
                MAPPER.writeValueAsString(Map.of(
                        "apiVersion", "v1",
                        "kind", "DeleteOptions",
                        "propagationPolicy", "Background",
                        "preconditions", Map.of("uid", uid))));
    }

    private void change(String method, String path, String body)
            throws IOException, InterruptedException, KubernetesRejection {
        try {
            said(method, path, body);
        } catch (ApiResponse no) {
            if (NO.contains(no.code)) {
                throw new KubernetesRejection(String.valueOf(no.getMessage()));
            }
            throw no;
        }
    }

    /** An answer that is an error. */
    private static final class ApiResponse extends IOException {
        private static final long serialVersionUID = 1;

        private final int code;

        ApiResponse(int code, String message, Throwable cause) {
            super(message, cause);
            this.code = code;
        }
    }

    private @Nullable String said(String method, String path, @Nullable String body)
            throws IOException, InterruptedException {
        try {
            return body == null ? client.raw(path) : client.raw(path, method, body);
        } catch (KubernetesClientException e) {
            if (Thread.interrupted() || e.getCause() instanceof InterruptedException) {
                throw new InterruptedException("interrupted while the cluster was asked");
            }
            throw new ApiResponse(e.getCode(), "%s %s: %s".formatted(method, path, reason(e)), e);
        }
    }

    /** The message of the API server; without one, why there is none. */
    private String reason(KubernetesClientException e) {
        if (e.getCause() instanceof CancellationException || e.getCause() instanceof HttpTimeoutException) {
            return BoundedHttp.late(Duration.ofMillis(client.getConfiguration().getRequestTimeout()));
        }
        if (e.getStatus() != null && e.getStatus().getMessage() != null) {
            return e.getStatus().getMessage();
        }
        Throwable why = e.getCause() == null ? e : e.getCause();
        return why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
    }

    private static JsonNode parsed(String said) throws IOException {
        try {
            return MAPPER.readTree(said);
        } catch (JacksonException e) {
            throw new IOException("the cluster did not answer in JSON: " + e.getOriginalMessage(), e);
        }
    }
}
