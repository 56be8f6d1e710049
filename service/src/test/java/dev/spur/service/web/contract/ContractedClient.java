package dev.spur.service.web.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * An HTTP client that holds every answer of the service against the contract: status, headers, media type and body must
 * be declared for the operation. What is no operation must be answered with a problem.
 */
public final class ContractedClient {
    private static final Contract CONTRACT = Contract.load();
    private static final ResponseValidator RULES = new ResponseValidator(CONTRACT);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String root;
    private final String secret;

    /** A client of the service on a port of this machine, without a token. */
    public ContractedClient(int port) {
        this("http://127.0.0.1:" + port, null);
    }

    private ContractedClient(String root, String secret) {
        this.root = root;
        this.secret = secret;
    }

    /** The contract, read once for all tests: to read it takes longer than most of them. */
    public static Contract contract() {
        return CONTRACT;
    }

    /** The same client with a token. */
    public ContractedClient with(String token) {
        return new ContractedClient(root, token);
    }

    /** A GET. Headers are given as name, value, name, value... */
    public Answer get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    /** A DELETE. */
    public Answer delete(String path, String... headers) {
        return send("DELETE", path, null, headers);
    }

    /** A POST without a body. */
    public Answer post(String path) {
        return send("POST", path, null);
    }

    /** A POST of JSON. */
    public Answer post(String path, String json, String... headers) {
        return send("POST", path, json, headers);
    }

    /** A PUT of JSON. */
    public Answer put(String path, String json, String... headers) {
        return send("PUT", path, json, headers);
    }

    /** A PATCH of a merge patch. */
    public Answer patch(String path, String json, String... headers) {
        return send("PATCH", path, json, headers);
    }

    /** Any request; JSON is its type unless a header says otherwise. */
    public Answer send(String method, String path, String json, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path))
                .method(
                        method,
                        json == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(json));
        if (secret != null) {
            request.header("Authorization", "Bearer " + secret);
        }
        boolean typed = false;
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
            typed |= headers[i].equalsIgnoreCase("Content-Type");
        }
        if (json != null && !typed) {
            request.header(
                    "Content-Type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
        }
        return send(request.build());
    }

    /** Sends a request as it is. */
    public Answer send(HttpRequest request) {
        try {
            List<InputStream> endless = new ArrayList<>();
            HttpResponse<byte[]> response = HTTP.send(request, info -> body(info, endless));
            for (InputStream stream : endless) {
                stream.close();
            }
            Answer answer = new Answer(response);
            String path = request.uri().getRawPath();
            var given = new ResponseValidator.ReceivedResponse(
                    response.statusCode(), response.headers().map(), response.body());
            assertThat(RULES.misfits(request.method(), path, given))
                    .as("%s %s answered %d: %s", request.method(), path, response.statusCode(), answer.text())
                    .isEmpty();
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The body; of a stream, which has no end, nothing. Adds the stream to {@code endless}. */
    private static HttpResponse.BodySubscriber<byte[]> body(HttpResponse.ResponseInfo info, List<InputStream> endless) {
        String type = info.headers().firstValue("Content-Type").orElse("");
        return type.startsWith("text/event-stream")
                ? HttpResponse.BodySubscribers.mapping(HttpResponse.BodySubscribers.ofInputStream(), stream -> {
                    endless.add(stream);
                    return new byte[0];
                })
                : HttpResponse.BodySubscribers.ofByteArray();
    }

    /** URI of a path. */
    public URI uri(String path) {
        return URI.create(root + path);
    }

    /**
     * An answer that agrees with the contract.
     *
     * @param raw as it came
     */
    public record Answer(HttpResponse<byte[]> raw) {
        /** This answer, if it has the status. */
        public Answer is(int status) {
            assertThat(raw.statusCode()).as(text()).isEqualTo(status);
            return this;
        }

        /** This answer, if it is a problem of the type. */
        public Answer is(ProblemType type) {
            is(type.status());
            assertThat(json().path("type").asString()).as(text()).isEqualTo(type.uri());
            return this;
        }

        /** HTTP status. */
        public int status() {
            return raw.statusCode();
        }

        /** The body as text. */
        public String text() {
            return new String(raw.body(), StandardCharsets.UTF_8);
        }

        /** The body as JSON. */
        public JsonNode json() {
            return RoundJson.mapper().readTree(raw.body());
        }

        /** A header that must be there. */
        public String header(String name) {
            return find(name).orElseThrow(() -> new AssertionError("no header " + name + ": " + raw.headers()));
        }

        /** A header. */
        public Optional<String> find(String name) {
            return raw.headers().firstValue(name);
        }

        /** The ETag. */
        public String etag() {
            return header("ETag");
        }

        /** The value at a JSON pointer, as text. */
        public String at(String pointer) {
            return json().at(pointer).asString();
        }
    }
}
