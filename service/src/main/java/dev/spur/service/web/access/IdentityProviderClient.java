package dev.spur.service.web.access;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestOperations;
import org.springframework.web.client.RestTemplate;

/** HTTP calls to the identity provider, limited in time and size, because a caller's request waits for them. */
final class IdentityProviderClient {
    /** Maximum response size in bytes. Metadata and key sets have some kilobytes. */
    static final int MAX_BYTES = 1 << 20;

    private IdentityProviderClient() {}

    /**
     * A client for metadata and keys.
     *
     * @param timeout limit of a whole call, to the end of the response
     */
    static RestOperations within(Duration timeout) {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(HttpClient.newBuilder()
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build());
        requests.setReadTimeout(timeout);
        RestTemplate calls = new RestTemplate(requests);
        calls.setInterceptors(List.of((request, body, next) -> new BoundedResponse(next.execute(request, body))));
        return calls;
    }

    /** A response whose body has at most {@link #MAX_BYTES}. */
    private static final class BoundedResponse implements ClientHttpResponse {
        private final ClientHttpResponse answer;
        /** The body, read once and returned to each caller, because converters request it several times. */
        private @Nullable InputStream body;

        BoundedResponse(ClientHttpResponse answer) {
            this.answer = answer;
        }

        @Override
        public HttpStatusCode getStatusCode() throws IOException {
            return answer.getStatusCode();
        }

        @Override
        public String getStatusText() throws IOException {
            return answer.getStatusText();
        }

        @Override
        public HttpHeaders getHeaders() {
            return answer.getHeaders();
        }

        @Override
        public InputStream getBody() throws IOException {
            InputStream known = body;
            if (known == null) {
                byte[] whole = answer.getBody().readNBytes(MAX_BYTES + 1);
                if (whole.length > MAX_BYTES) {
                    throw new IOException(
                            "the response of the identity provider exceeds %d bytes".formatted(MAX_BYTES));
                }
                known = new ByteArrayInputStream(whole);
                body = known;
            }
            return known;
        }

        @Override
        public void close() {
            answer.close();
        }
    }
}
