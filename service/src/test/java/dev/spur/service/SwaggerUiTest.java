package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The API documentation in a browser. */
@Tag("browser")
class SwaggerUiTest extends ServiceTest {
    private Browser browser;

    @BeforeEach
    void open() throws InterruptedException {
        browser = Browser.open(address());
        browser.go("/docs");
        browser.await(() -> browser.all(".opblock-tag").size() > 5);
    }

    @AfterEach
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void filtersFoldedOperationsByTheirText() throws InterruptedException {
        assertThat(browser.all(".opblock")).isEmpty();

        browser.type(".operation-filter-input", "Hold A J");

        browser.await(() -> browser.all(".opblock-tag").size() == 1);
        browser.press(".opblock-tag");
        browser.await(() -> browser.all(".opblock").size() == 1);
        assertThat(browser.text(".opblock")).contains("/api/v1/jobs/{id}/hold");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void keepsTheTokenWhenThePageIsLoadedAgain() throws InterruptedException {
        browser.press(".btn.authorize");
        browser.type("input[aria-label='auth-bearer-value']", "spur_kept");
        browser.press(".auth-btn-wrapper .authorize");
        browser.await(
                () -> !browser.all("button[aria-label='Remove authorization']").isEmpty());

        browser.leave();
        browser.go("/docs");

        browser.await(() -> !browser.all(".btn.authorize.locked").isEmpty());
    }

    @Test
    void showsExamplesInTheFuture() throws InterruptedException {
        browser.leave();
        browser.go("/docs#/Cluster/putMaintenanceWindow");

        browser.await(() -> browser.text(".opblock.is-open")
                .contains(LocalDate.now(ZoneOffset.UTC).plusDays(7).toString()));
    }
}
