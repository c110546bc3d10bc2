// Compiles trees of real Java code with the real compiler, as often as it is asked: each line read is a directory, and for each
// error a line `path TAB line TAB column TAB message` is printed, then a line `done`.

import com.sun.source.util.JavacTask;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

public class JudgeReal {
  public static void main(String[] none) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String directory = lines.readLine(); directory != null; directory = lines.readLine()) {
      Path root = Path.of(directory);
      List<Path> sources;
      try (Stream<Path> all = Files.walk(root)) {
        sources = all.filter(path -> path.toString().endsWith(".java")).toList();
      }
      DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
      List<String> options = List.of("-proc:none", "-implicit:none", "-Xmaxerrs", "2000", "-XDshould-stop.ifError=FLOW");
      JavacTask task = (JavacTask) compiler.getTask(null, files, said, options, null, files.getJavaFileObjectsFromPaths(sources));
      task.analyze();
      for (Diagnostic<? extends JavaFileObject> one : said.getDiagnostics()) {
        if (one.getKind() != Diagnostic.Kind.ERROR || one.getSource() == null) continue;
        Path path = root.relativize(Path.of(one.getSource().toUri()));
        String message = one.getMessage(null).replaceAll("\\s+", " ");
        System.out.println(path + "\t" + one.getLineNumber() + "\t" + one.getColumnNumber() + "\t" + message);
      }
      System.out.println("done");
      System.out.flush();
    }
  }
}
