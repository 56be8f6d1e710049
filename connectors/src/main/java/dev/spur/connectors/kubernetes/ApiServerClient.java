package dev.spur.connectors.kubernetes;

import dev.spur.connectors.http.BoundedHttp;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
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
 * Client for the Kubernetes API server. Objects are kept as JSON trees, so that unknown members are preserved. Every
 * write carries the resource version of the object that was read, so that a concurrent change makes it fail.
 */
final class ApiServerClient {
    private static final ObjectMapper MAPPER = JsonMapper.shared();
    private static final int PAGE = 500;
    /** Limit above any cluster's size; a longer list is treated as an error of the API server. */
    private static final int MAX_OBJECTS = 200_000;

    private static final int UNAUTHORIZED = 401;
    /** Status of missing rights. An API server that has not read its roles yet also answers it. */
    private static final int FORBIDDEN = 403;
    /** Statuses of changes that a retry cannot make succeed. */
    private static final Set<Integer> PERMANENT = Set.of(400, 405, 422);

    private final KubernetesClient client;

    ApiServerClient(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Returns all objects of a collection; empty if the cluster does not have the API.
     *
     * @throws IOException if there is no response or an invalid one
     */
    List<ObjectNode> list(String collection) throws IOException, InterruptedException {
        return list(collection, "");
    }

    private List<ObjectNode> list(String collection, String selector) throws IOException, InterruptedException {
        List<ObjectNode> all = new ArrayList<>();
        String next = "";
        do {
            String query = "?limit=%d%s%s"
                    .formatted(
                            PAGE,
                            selector.isEmpty() ? "" : "&" + selector,
                            next.isEmpty() ? "" : "&continue=" + encode(next));
            String body = send("GET", collection + query, null);
            if (body == null) {
                return List.of();
            }
            JsonNode page = parse(body);
            page.path("items").forEach(item -> all.add((ObjectNode) item));
            if (all.size() > MAX_OBJECTS) {
                throw new IOException("%s has more than %d objects".formatted(collection, MAX_OBJECTS));
            }
            next = page.at("/metadata/continue").asString("");
        } while (!next.isEmpty());
        return all;
    }

    /** Returns the objects of a collection with a field; also empty if Spur has no permission to list them. */
    List<ObjectNode> listIfAllowed(String collection, String selector) throws IOException, InterruptedException {
        try {
            return list(collection, selector);
        } catch (ApiResponse rejection) {
            if (rejection.code == FORBIDDEN) {
                return List.of();
            }
            throw rejection;
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Returns an object; empty if it does not exist. */
    Optional<ObjectNode> get(String path) throws IOException, InterruptedException {
        String body = send("GET", path, null);
        return body == null ? Optional.empty() : Optional.of((ObjectNode) parse(body));
    }

    /**
     * Replaces an object whose resource version is unchanged.
     *
     * @throws KubernetesRejection if the API server rejects the change
     * @throws IOException if there is no response, or the object was changed concurrently
     */
    void put(String path, ObjectNode object) throws IOException, InterruptedException, KubernetesRejection {
        change("PUT", path, object.toString());
    }

    /**
     * Creates an object.
     *
     * @throws KubernetesRejection if the API server rejects the object
     * @throws IOException if there is no response, or an object of this name exists
     */
    void create(String collection, ObjectNode object) throws IOException, InterruptedException, KubernetesRejection {
        change("POST", collection, object.toString());
    }

    /** Deletes an object if it still has this UID. Its dependents are deleted in the background. */
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
            send(method, path, body);
        } catch (ApiResponse rejection) {
            if (PERMANENT.contains(rejection.code)) {
                throw new KubernetesRejection(String.valueOf(rejection.getMessage()));
            }
            if (rejection.code == FORBIDDEN) {
                throw new KubernetesRejection(String.valueOf(rejection.getMessage()), true);
            }
            throw rejection;
        }
    }

    /** An error response. */
    private static final class ApiResponse extends IOException {
        private static final long serialVersionUID = 1;

        private final int code;

        ApiResponse(int code, String message, Throwable cause) {
            super(message, cause);
            this.code = code;
        }
    }

    private @Nullable String send(String method, String path, @Nullable String body)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        try {
            return body == null ? client.raw(path) : client.raw(path, method, body);
        } catch (KubernetesClientException e) {
            if (Thread.interrupted() || e.getCause() instanceof InterruptedException) {
                throw new InterruptedException("interrupted during a request to the cluster");
            }
            throw new ApiResponse(
                    e.getCode(), "%s %s: %s".formatted(method, path, reason(e, System.nanoTime() - start)), e);
        }
    }

    /**
     * Returns the message of the API server; without a response, the cause of the failure. The client closes the
     * connection at the deadline, and may report the end of the connection as the cause.
     */
    private String reason(KubernetesClientException e, long nanos) {
        Duration deadline = Duration.ofMillis(client.getConfiguration().getRequestTimeout());
        boolean isLate = e.getStatus() == null && nanos >= deadline.toNanos();
        if (isLate || e.getCause() instanceof CancellationException || e.getCause() instanceof HttpTimeoutException) {
            return BoundedHttp.timeoutMessage(deadline);
        }
        if (e.getCode() == UNAUTHORIZED) {
            return "401 Unauthorized: the token or certificate is expired, revoked or of another cluster. Renew it in the"
                    + " kubeconfig or in the volume of the service account; it is read again";
        }
        if (e.getStatus() != null && e.getStatus().getMessage() != null) {
            return e.getStatus().getMessage();
        }
        return "no valid response from %s: %s"
                .formatted(client.getConfiguration().getMasterUrl(), cause(e));
    }

    /** Returns the most specific cause of a failed call. */
    private static String cause(Throwable failure) {
        String text = failure.getClass().getSimpleName();
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof ConnectException) {
                return "connection refused";
            }
            if (at instanceof UnresolvedAddressException || at instanceof UnknownHostException) {
                return "the host name is unknown";
            }
            text = at.getMessage() == null ? text : at.getMessage();
        }
        return text;
    }

    private static JsonNode parse(String body) throws IOException {
        try {
            return MAPPER.readTree(body);
        } catch (JacksonException e) {
            throw new IOException("the cluster returned no JSON: " + e.getOriginalMessage(), e);
        }
    }
}
