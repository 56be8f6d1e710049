package dev.spur.service.operations;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.CyclicBufferAppender;
import java.util.Locale;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** Buffer of the last lines of this replica's log. */
@Component
class LogTail implements DisposableBean {
    private static final int LINES = 2000;

    private final CyclicBufferAppender<ILoggingEvent> buffer = new CyclicBufferAppender<>();
    private final Logger root;

    LogTail() {
        root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        buffer.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        buffer.setMaxSize(LINES);
        buffer.start();
        root.addAppender(buffer);
    }

    /** Returns the lines, the oldest first. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < buffer.getLength(); i++) {
            ILoggingEvent event = buffer.get(i);
            if (event != null) {
                text.append(line(event));
            }
        }
        return text.toString();
    }

    private static String line(ILoggingEvent event) {
        String line = String.format(
                Locale.ROOT,
                "%s %-5s %s - %s%n",
                event.getInstant(),
                event.getLevel(),
                event.getLoggerName(),
                event.getFormattedMessage());
        return event.getThrowableProxy() == null
                ? line
                : line + ThrowableProxyUtil.asString(event.getThrowableProxy()) + System.lineSeparator();
    }

    @Override
    public void destroy() {
        root.detachAppender(buffer);
        buffer.stop();
    }
}
