// Compiles trees of Java files with the real compiler, in one process. Each argument is a directory; for each of its files with an
// error a line `directory TAB path` is printed.

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

public class Judge {
  public static void main(String[] directories) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    // Opening the library costs more than checking a small tree, so it is opened once.
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    for (String directory : directories) {
      Path root = Path.of(directory);
      List<Path> sources;
      try (Stream<Path> all = Files.walk(root)) {
        sources = all.filter(path -> path.toString().endsWith(".java")).toList();
      }
      DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
      Set<String> broken = new TreeSet<>();
      List<String> options = List.of("-proc:none", "-implicit:none", "-Xmaxerrs", "1000");
      JavacTask task = (JavacTask) compiler.getTask(null, files, said, options, null, files.getJavaFileObjectsFromPaths(sources));
      task.analyze();
      for (Diagnostic<? extends JavaFileObject> one : said.getDiagnostics()) {
        if (one.getKind() == Diagnostic.Kind.ERROR && one.getSource() != null)
          broken.add(root.relativize(Path.of(one.getSource().toUri())).toString());
      }
      for (String path : broken) System.out.println(directory + "\t" + path);
    }
    files.close();
  }
}
