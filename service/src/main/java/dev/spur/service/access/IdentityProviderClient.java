package dev.spur.service.access;

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

/** HTTP calls to the identity provider, bounded in time and size: they are made while a caller's request waits. */
final class IdentityProviderClient {
    /** The largest answer, in bytes. Metadata and key sets have some kilobytes. */
    static final int MAX_BYTES = 1 << 20;

    private IdentityProviderClient() {}

    /**
     * A client for metadata and keys.
     *
     * @param timeout of a whole call, to the end of the answer
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

    /** An answer whose body has at most {@link #MAX_BYTES}. */
    private static final class BoundedResponse implements ClientHttpResponse {
        private final ClientHttpResponse answer;
        /** Read once and returned to each caller, as converters ask for it several times. */
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
                            "the answer of the identity provider has more than %d bytes".formatted(MAX_BYTES));
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
